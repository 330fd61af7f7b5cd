/** Unusual usage exports: which provider a line belongs to, and which values are added up. */
import { describe, expect, test } from 'bun:test';
import {
  reconcile,
  type Finding,
  type FindingKind,
  type ReconcileOptions,
} from '../../src/chat/index.ts';
import { prepareInsert, tables, type RowFor } from '../../src/db/index.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { settableClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { openWorld, type Chatter, type World } from '../support/world.ts';

const DAY = 86_400_000;
const NOON = Date.parse('2026-11-20T12:00:00Z');

const models = [
  { id: 101, model: 'alpha' },
  { id: 102, model: 'beta' },
  { id: 103, provider: 'other', model: 'alpha' },
  // The same model at the provider, at another price.
  { id: 104, model: 'alpha', model_alias: 'dear', cost_output_tokens_rub: 999 },
];
const providers = (provider: { baseUrl: string }) => ({
  other: { kind: 'openai', base_url: provider.baseUrl },
});

interface Compared {
  world: World;
  clock: Clock & { at: number };
  alice: Chatter;
  /** A send of 7 tokens in and 3 out, unless specified otherwise. */
  send: (id: string, ai?: number, usage?: object) => Promise<unknown>;
  /** Everything that a comparison found. */
  compare: (
    text: string,
    wish?: Partial<ReconcileOptions>,
  ) => Promise<{
    totals: Awaited<ReturnType<typeof reconcile>>['totals'];
    unreadable: number;
    found: Record<FindingKind, Finding[]>;
  }>;
}

async function comparing(
  dialect: (typeof dialects)[number],
  work: (parts: Compared) => Promise<void>,
): Promise<void> {
  const clock = settableClock(NOON);
  const env = { ZASTAVA_TOKEN_TTL_SECONDS: `${(7 * DAY) / 1000}` };
  await using world = await openWorld(dialect, { models, providers, clock, env });
  const alice = await world.user();
  await work({
    world,
    clock,
    alice,
    async send(id, ai = 101, more = {}) {
      const usage = { prompt_tokens: 7, completion_tokens: 3, ...more };
      await world.provider.script({ id, usage });
      return alice.send({ ai });
    },
    async compare(text, wish = {}) {
      async function* pieces() {
        yield text;
      }
      const options = { providers: [], models: [], ...wish };
      await using result = await reconcile(world.gateway.core, pieces(), options);
      const all = (kind: FindingKind) => Array.fromAsync(result.findings(kind));
      return {
        totals: result.totals,
        unreadable: result.unreadable.length,
        found: {
          differing: await all('differing'),
          only_in_file: await all('only_in_file'),
          only_with_us: await all('only_with_us'),
          undercharged: await all('undercharged'),
        },
      };
    },
  });
}

const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);

const insertMessages = prepareInsert(tables.messages);

for (const dialect of dialects) {
  describe(`${dialect}: an export by day and model`, () => {
    test('with only one kind of count is compared by that count', () =>
      comparing(dialect, async ({ send, compare }) => {
        await send('a');
        await send('b');
        const head = 'date,model,input_tokens';
        const same = await compare(`${head}\n2026-11-20,alpha,6\n2026-11-20,alpha,8\n`);
        expect(same.totals).toMatchObject({ matched: 1, differing: 0 });
        expect(same.totals.file).toMatchObject({ promptTokens: 14, completionTokens: null });
        const { found } = await compare(`${head}\n2026-11-20,alpha,15\n`);
        expect(found.differing).toMatchObject([{ file: { completionTokens: null } }]);
      }));

    test('covers the providers whose models it names, and no others', () =>
      comparing(dialect, async ({ send, compare, alice }) => {
        await send('a', 102);
        await send('b', 103);
        const text = 'date,model,input_tokens,output_tokens\n2026-11-20,beta,7,3\n';
        const { totals } = await compare(text);
        expect(totals).toMatchObject({ providers: ['scripted'], matched: 1, onlyWithUs: 0 });
        const [charge = 0] = await alice.charges();
        expect(totals.ours).toMatchObject({ requests: 1, charged: charge });
        // by a name that two providers share means the one that was used, or the one that the operator names
        const alpha = 'date,model,input_tokens,output_tokens\n2026-11-20,alpha,7,3\n';
        const used = await compare(alpha);
        expect(used.totals).toMatchObject({ providers: ['other'], matched: 1 });
        const result = await compare(alpha, { models: ['alpha=beta'] });
        expect(result.totals).toMatchObject({ providers: ['scripted'], matched: 1 });
      }));

    test('may have one line for two of our models that are one model at the provider', () =>
      comparing(dialect, async ({ send, compare, alice }) => {
        await send('a', 101);
        await send('b', 104);
        const text = 'date,model,input_tokens,output_tokens\n2026-11-20,alpha,14,7\n';
        const { totals, found } = await compare(text, { providers: ['scripted'] });
        const charged = sum(await alice.charges());
        expect(totals.ours).toMatchObject({ requests: 2, charged });
        expect(found.differing).toMatchObject([{ ours: { requests: 2, charged } }]);
      }));
  });

  describe(`${dialect}: an export of single answers`, () => {
    test('matches answers of the day before or after, and reports none of those days as missing', () =>
      comparing(dialect, async ({ clock, send, compare }) => {
        for (const name of ['before', 'same', 'after']) {
          await send(name);
          await send(`${name}, not theirs`);
          clock.at += DAY;
        }
        const dates = 'id,date,input_tokens,output_tokens\n';
        const lines = ['before', 'same', 'after'].map((name) => `${name},2026-11-21,7,3`);
        const { totals, found } = await compare(dates + lines.join('\n'));
        expect(totals).toMatchObject({ matched: 3, onlyInFile: 0, onlyWithUs: 1 });
        expect(totals.ours.requests).toBe(4);
        expect(found.only_with_us.map((one) => one.providerMessageId)).toEqual([
          'same, not theirs',
        ]);
        // Whatever the order of its lines.
        const days = ['2026-11-21', '2026-11-20', '2026-11-22', '2026-11-21'];
        const shuffled = days.map((day, line) => `${line},${day},1,1`);
        const { from, to } = (await compare(dates + shuffled.join('\n'))).totals;
        expect([from, to]).toEqual(['2026-11-20', '2026-11-22']);
      }));

    test('counts refused answers with their reported usage', () =>
      comparing(dialect, async ({ world, send, compare, alice }) => {
        await send('a');
        const usage = { prompt_tokens: 6, completion_tokens: 0 };
        await world.provider.script({ text: '', usage, finishReason: 'content_filter' });
        expect(await alice.code()).toBe('content_refused');
        const { totals } = await compare('id,date,input_tokens\na,2026-11-20,7\n');
        expect(totals.ours).toMatchObject({
          requests: 2,
          promptTokens: 13,
          withoutId: 1,
          charged: sum(await alice.charges()),
        });
      }));

    test('may have parts of a count in separate columns, and costs with a sign', () =>
      comparing(dialect, async ({ send, compare }) => {
        await send('a');
        const head =
          'id,date,input_tokens,cache_creation_input_tokens,cache_read_input_tokens,cost';
        const { totals, found } = await compare(
          `${head}\na,2026-11-20,1,2,1,$0.10\na,2026-11-20,3,0,1,$0.05\n`,
        );
        expect(totals.file).toMatchObject({ promptTokens: 8, cost: '0.15', costUnread: 0 });
        expect(found.differing).toMatchObject([
          { line: 2, file: { requests: 2, promptTokens: 8 } },
        ]);
      }));

    test('lists the first hundred unreadable lines, and counts all of them', () =>
      comparing(dialect, async ({ compare }) => {
        const lines = Array.from({ length: 150 }, (_, line) => `${line},never,1`);
        const { totals, unreadable } = await compare(`id,date,input_tokens\n${lines.join('\n')}`);
        expect([unreadable, totals.file.unreadable]).toEqual([100, 150]);
      }));

    test('with more answers than a page holds: each is compared once', () =>
      comparing(dialect, async ({ world, send, compare, alice }) => {
        const { db } = world.gateway.core;
        const details = { prompt_tokens_details: { cached_tokens: 5 } };
        await send('twice', 101, details);
        const [row] = await db.query<RowFor<typeof insertMessages>>(
          'SELECT * FROM messages WHERE user_id = $1',
          [alice.userId],
        );
        if (!row) throw new Error('the message is not stored');
        const extra = 1_299;
        const rows = Array.from({ length: extra }, (_, i) => ({
          ...row,
          id: row.id + 1 + i,
          provider_message_id: i === extra - 1 ? 'twice' : `gen-${i}`,
        }));
        // The first of the two with one id was estimated. They are read in two pages.
        await db.transaction(async (tx) => {
          await insertMessages(tx, rows);
          await tx.query(`UPDATE messages SET usage_source = 'estimated' WHERE id = $1`, [row.id]);
        });
        const [charge = 0] = await alice.charges();
        const { totals, found } = await compare('id,date,input_tokens\ntwice,2026-11-20,13\n');
        expect(totals).toMatchObject({ differing: 1, onlyWithUs: extra - 1 });
        expect(totals.ours).toMatchObject({ requests: 1_300, charged: 1_300 * charge });
        expect(found.differing).toMatchObject([
          {
            ours: {
              requests: 2,
              promptTokens: 14,
              completionTokens: 6,
              cachedTokens: 10,
              charged: 2 * charge,
              estimated: true,
            },
          },
        ]);
        const ids = found.only_with_us.map((one) => one.providerMessageId);
        expect(ids).toHaveLength(extra - 1);
        expect(new Set(ids).size).toBe(extra - 1);
      }));
  });
}
