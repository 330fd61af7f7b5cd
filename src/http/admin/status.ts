import { z } from 'zod';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation } from '../operation.ts';
import { emptyBody, intOrNull, rubles, textOrNull, unixSeconds, dayZoneField } from '../schemas.ts';

const spend = { requests: z.int(), spend: rubles };

export const statusOperation = ({ status }: OperationParts) =>
  operatorOperation({
    path: '/admin/status/',
    unlogged: true,
    summary: 'Show the state of the gateway',
    description: 'Breakers and calls are those of the node that answers.',
    body: emptyBody,
    result: z.object({
      version: z.string(),
      database: z.enum(['sqlite', 'postgres']),
      started_at: unixSeconds.nullable().describe('When the node that answers was started.'),
      nodes: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          is_this: z.boolean().describe('true: it gave this answer.'),
          open_holds: z.int(),
        }),
      ),
      providers: z.array(
        z.object({
          code: z.string(),
          kind: z.string(),
          origin: z.enum(['builtin', 'preset', 'file']),
          models: z.int(),
          breaker: z
            .enum(['closed', 'open', 'probing'])
            .nullable()
            .describe('`open`: it did not answer, so calls are refused for some seconds.'),
          problem: textOrNull.describe('Why it can’t be used.'),
          calls: intOrNull.describe('Within the last hour.'),
          failures: intOrNull.describe('Within the last hour.'),
          last_failure: z
            .object({
              outcome: z.string().describe('As in `/admin/attempts/`.'),
              at: unixSeconds,
            })
            .nullable()
            .describe('null: no call has failed since the start.'),
        }),
      ),
      open_holds: z.object({
        count: z.int(),
        amount: rubles,
        oldest: z.array(
          z.object({
            login: z.string(),
            message_id: z.int(),
            model_id: z.int(),
            model: z.string(),
            node: z.int(),
            hold: rubles,
            created_at: unixSeconds,
          }),
        ),
      }),
      today: z.object({
        day: z.string().describe('YYYY-MM-DD.'),
        ...dayZoneField,
        ...spend,
        top_users: z
          .array(z.object({ login: z.string(), ...spend }))
          .describe('The largest spend of this day.'),
      }),
    }),
    handle: () => status(),
  });
