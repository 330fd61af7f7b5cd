import { z } from 'zod';
import {
  findingView,
  reconciliationView,
  type Finding,
  type FindingKind,
  type ReconcileAsk,
  type Reconciliation,
} from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';
import { adminOperation } from '../operation.ts';
import { day, pageLimit, rubles } from '../schemas.ts';

/** A hundred thousand lines and more; larger exports are for the command line. */
const BODY_MAX_BYTES = 32 * 1024 * 1024;

const tokens = z.int().nullable().meta({ description: 'null: not told.' });
const counts = { requests: z.int(), prompt_tokens: tokens, completion_tokens: tokens };
const parts = { cached_tokens: tokens.optional(), reasoning_tokens: tokens.optional() };

const finding = z
  .object({
    day: z.string().nullable().meta({ description: 'YYYY-MM-DD, UTC.' }),
    provider: z.string().nullable(),
    model: z.string().nullable(),
    provider_message_id: z.string().nullable(),
    line: z.int().nullable().meta({ description: 'Of the export, the first of several.' }),
    user_id: z.int().nullable(),
    message_id: z.int().nullable(),
    file: z.object({ ...counts, ...parts }).nullable(),
    ours: z.object({ ...counts, ...parts, charged: rubles, estimated: z.boolean() }).nullable(),
  })
  .meta({ id: 'Finding' });

const body = z.object({
  csv: z.string().meta({ description: 'The export, with a header line.' }),
  columns: z
    .string()
    .nullish()
    .meta({ description: 'FIELD=COLUMN,… of what the headers do not say; - leaves one out.' }),
  providers: z
    .array(z.string())
    .nullish()
    .meta({ description: 'Our providers that it is of; absent: as its rows tell.' }),
  models: z
    .record(z.string(), z.string())
    .nullish()
    .meta({ description: 'What the export calls a model, to what we call it.' }),
  from: day.nullish().meta({ description: 'The first day, UTC; absent: as the export has it.' }),
  to: day.nullish().meta({ description: 'The last day, UTC; absent: as the export has it.' }),
  limit: pageLimit,
});

export type Reconcile = (
  pieces: AsyncIterable<string>,
  ask: ReconcileAsk,
) => Promise<Reconciliation>;

export const reconcileOperation = (reconcile: Reconcile) =>
  adminOperation({
    path: '/admin/reconcile/',
    tag: 'Admin',
    summary: "Hold a provider's usage export against our messages",
    description:
      'Only reads. Answer by answer where the export has their ids, else by day and model; of each kind of finding `limit` are told.',
    bodyMaxBytes: BODY_MAX_BYTES,
    unlogged: true,
    body,
    example: {
      csv: 'id,date,model,prompt_tokens,completion_tokens\ngen-1,2026-11-01,gpt-5-mini,7,3\n',
    },
    result: z.object({
      by: z.enum(['id', 'day']),
      from: z.string().nullable(),
      to: z.string().nullable(),
      providers: z.array(z.string()),
      file: z.object({
        rows: z.int(),
        unreadable: z.int(),
        ...counts,
        cost: z.string().nullable().meta({ description: 'Exact, in its own currency.' }),
        cost_unread: z.int().meta({ description: 'Lines whose cost is none.' }),
      }),
      ours: z.object({
        ...counts,
        charged: rubles,
        without_id: z.int().meta({ description: 'Answers whose provider gave no id.' }),
      }),
      matched: z.int(),
      differing: z.int(),
      only_in_file: z.int(),
      only_with_us: z
        .int()
        .nullable()
        .meta({ description: 'null: an export without dates needs `from` and `to`.' }),
      unreadable_rows: z.array(z.object({ line: z.int(), problem: z.string() })).readonly(),
      differing_rows: z.array(finding),
      only_in_file_rows: z.array(finding),
      only_with_us_rows: z.array(finding),
    }),
    errors: [],
    slow: true,
    handle: async ({ csv, limit, ...wish }) => {
      const { from, to } = wish;
      if (from && to && from > to) throw invalidField('from', 'must not be after `to`');
      const ask = {
        columns: wish.columns ?? undefined,
        providers: wish.providers ?? [],
        models: Object.entries(wish.models ?? {}).map(([theirs, ours]) => `${theirs}=${ours}`),
        from: from ?? undefined,
        to: to ?? undefined,
      };
      await using result = await reconcile(piecesOf(csv), ask);
      const rows = (kind: FindingKind) => firstOf(result.findings(kind), limit);
      return {
        ...reconciliationView(result),
        differing_rows: await rows('differing'),
        only_in_file_rows: await rows('only_in_file'),
        only_with_us_rows: await rows('only_with_us'),
      };
    },
  });

/** So many that others are answered between two of them. */
const PIECE_CHARS = 65_536;

/** The text in pieces, each in a turn of its own. */
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
