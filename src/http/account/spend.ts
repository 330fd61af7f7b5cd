import { z } from 'zod';
import { keySpendView, roomSpendView } from '../../chat/index.ts';
import { toRubles } from '../../lib/money.ts';
import type { OperationParts } from '../operation-parts.ts';
import { userOperation } from '../operation.ts';
import { pageLimit, rubles, textOrNull, dayZoneField } from '../schemas.ts';
import { DAYS_MAX, rangeFields, rangeOf } from './records.ts';
import { dayZone } from '../../lib/days.ts';

export const spendOperations = ({ clock, usage }: OperationParts) => [
  userOperation({
    path: '/account/usage/keys/',
    summary: 'Show your spend by API key',
    description: `Of at most ${DAYS_MAX} days; the largest spend first. Revoked keys are shown, too.`,
    body: z.object({
      ...rangeFields,
      model_id: z.int().nullish().describe('Only this model; absent: all.'),
    }),
    result: z.object({
      ...dayZoneField,
      keys: z.array(
        z.object({
          key_id: textOrNull.describe(
            'null: sends of sessions, and of every key before this server kept usage by key.',
          ),
          name: textOrNull,
          hint: textOrNull,
          requests: z.int(),
          prompt_tokens: z.int(),
          completion_tokens: z.int(),
          spend: rubles,
        }),
      ),
      total_spend: rubles,
    }),
    handle: async (body, { caller }) => {
      const range = rangeOf(body, clock.now());
      const rows = await usage.byKey(caller.userId, range, body.model_id ?? undefined);
      return {
        day_zone: dayZone(),
        keys: rows.map(keySpendView),
        total_spend: toRubles(rows.reduce((sum, row) => sum + row.spend, 0)),
      };
    },
  }),

  userOperation({
    path: '/account/usage/rooms/',
    summary: 'Show your rooms with the largest spend',
    description:
      'Since each room was opened; the largest spend first. A deleted room has no title: its texts are gone, its costs stay.',
    body: z.object({ limit: pageLimit }),
    result: z.object({
      rooms: z.array(
        z.object({
          room_id: z.string(),
          title: z.string(),
          is_deleted: z.boolean(),
          spend: rubles,
        }),
      ),
      total_spend: rubles.describe('Rubles for all rooms, at most six decimals.'),
    }),
    handle: async ({ limit }, { caller }) => {
      const { rooms, total } = await usage.byRoom(caller.userId, limit);
      return { rooms: rooms.map(roomSpendView), total_spend: toRubles(total) };
    },
  }),
];
