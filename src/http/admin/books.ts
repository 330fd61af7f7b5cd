import { z } from 'zod';
import {
  type Finding,
  type FindingKind,
  findingView,
  reconciliationView,
} from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';
import { refusalsFor } from '../languages.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation } from '../operation.ts';
import {
  day,
  emptyBody,
  intOrNull,
  named,
  pageLimit,
  rubles,
  textOrNull,
  dayZoneField,
  withoutNulls,
} from '../schemas.ts';

/** Large enough for more than a hundred thousand lines. Larger exports are for the command line. */
const BODY_MAX_BYTES = 32 * 1024 * 1024;

const tokens = intOrNull.describe('null: not reported.');
const counts = { requests: z.int(), prompt_tokens: tokens, completion_tokens: tokens };
const parts = { cached_tokens: tokens.optional(), reasoning_tokens: tokens.optional() };

const finding = named('Finding', {
  day: textOrNull.describe('YYYY-MM-DD.'),
  provider: textOrNull,
  model: textOrNull,
  provider_message_id: textOrNull,
  line: intOrNull.describe('Line of the export; the first, if there are several.'),
  user_id: intOrNull,
  message_id: intOrNull,
  file: z.object({ ...counts, ...parts }).nullable(),
  ours: z.object({ ...counts, ...parts, charged: rubles, estimated: z.boolean() }).nullable(),
  lost: rubles
    .optional()
    .describe('The part of the price of an undercharged answer above its hold.'),
});

const body = z.object({
  csv: z.string().describe('The export, with a header line.'),
  columns: z
    .string()
    .nullish()
    .describe('FIELD=COLUMN,… for unclear headers; FIELD=- ignores a column.'),
  providers: z.array(z.string()).nullish().describe('Absent: as named in the rows.'),
  models: z
    .record(z.string(), z.string())
    .nullish()
    .describe('From the names of models in the export to their names in the catalogue.'),
  from: day.nullish().describe('The first day; absent: the first day of the export.'),
  to: day.nullish().describe('The last day; absent: the last day of the export.'),
  limit: pageLimit,
});

/** Small enough that other requests are answered between two pieces. */
const PIECE_CHARS = 65_536;

export const ledgerVerifyOperation = ({ verifyBooks }: OperationParts) =>
  operatorOperation({
    path: '/admin/ledger/verify/',
    unlogged: true,
    summary: 'Verify the books',
    description: 'Reads all entries, which takes a while on a large database.',
    body: emptyBody,
    result: z.object({
      holds: z.boolean().describe('true: every check holds.'),
      checks: z.array(
        z.object({
          name: z.string(),
          holds: z.boolean(),
          checked: z.int().describe('How many rows were checked.'),
          broken: z
            .array(z.record(z.string(), z.unknown()))
            .describe('The first rows that violate it.'),
        }),
      ),
    }),
    slow: true,
    handle: async (_body, { request }) => {
      const say = refusalsFor(request);
      const checks = await verifyBooks();
      return {
        holds: checks.every(({ holds }) => holds),
        checks: checks.map((check) => ({ ...check, name: say(check.name) })),
      };
    },
  });

export const reconcileOperation = ({ reconcile }: OperationParts) =>
  operatorOperation({
    path: '/admin/reconcile/',
    summary: "Compare a provider's usage export with the gateway's messages",
    description:
      'Only reads. Compares answer by answer if the export has their ids, else by day and model. Shows up to `limit` findings of each kind.',
    bodyMaxBytes: BODY_MAX_BYTES,
    unlogged: true,
    body,
    example: {
      csv: 'id,date,model,prompt_tokens,completion_tokens\ngen-1,2026-11-01,gpt-5-mini,7,3\n',
    },
    result: z.object({
      by: z.enum(['id', 'day']),
      from: textOrNull,
      to: textOrNull,
      ...dayZoneField,
      providers: z.array(z.string()),
      file: z.object({
        rows: z.int(),
        unreadable: z.int(),
        ...counts,
        cost: textOrNull.describe('Exact, in its own currency.'),
        cost_unread: z.int().describe('Lines whose cost can’t be read.'),
      }),
      ours: z.object({
        ...counts,
        charged: rubles,
        without_id: z.int().describe('Answers whose provider gave no id.'),
      }),
      matched: z.int(),
      differing: z.int(),
      only_in_file: z.int(),
      only_with_us: intOrNull.describe('null: an export without dates needs `from` and `to`.'),
      undercharged: z.int().describe('Answers whose usage costs more than was held.'),
      undercharged_rub: rubles.describe('The part of their full price that was not charged.'),
      unreadable_rows: z.array(z.object({ line: z.int(), problem: z.string() })).readonly(),
      differing_rows: z.array(finding),
      only_in_file_rows: z.array(finding),
      only_with_us_rows: z.array(finding),
      undercharged_rows: z.array(finding),
    }),
    slow: true,
    handle: async (given) => {
      const { csv, limit, models = {}, providers = [], ...options } = withoutNulls(given);
      const { from, to } = options;
      if (from && to && from > to) throw invalidField('from', 'must not be after `to`');
      const pairs = Object.entries(models).map(([theirs, ours]) => `${theirs}=${ours}`);
      const terms = { ...options, providers, models: pairs };
      await using result = await reconcile(piecesOf(csv), terms);
      const rows = (kind: FindingKind) => firstOf(result.findings(kind), limit);
      return {
        ...reconciliationView(result),
        differing_rows: await rows('differing'),
        only_in_file_rows: await rows('only_in_file'),
        only_with_us_rows: await rows('only_with_us'),
        undercharged_rows: await rows('undercharged'),
      };
    },
  });

/** The text in pieces, each handled in its own turn of the event loop. */
async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += PIECE_CHARS) {
    yield text.slice(at, at + PIECE_CHARS);
    await new Promise(setImmediate);
  }
}

async function firstOf(findings: AsyncIterable<Finding>, limit: number) {
  const first: ReturnType<typeof findingView>[] = [];
  for await (const one of findings) {
    if (first.length === limit) break;
    first.push(findingView(one));
  }
  return first;
}
