/** A provider's usage export compared with what was sent: no difference stays hidden. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  reconcile,
  type Finding,
  type FindingKind,
  type ReconcileOptions,
} from '../../src/chat/index.ts';
import { dialects } from '../support/databases.ts';
import { failure } from '../support/failure.ts';
import { openWorld, type Chatter, type World } from '../support/world.ts';

interface Line {
  id: string;
  prompt: number;
  completion: number;
  day: string;
  model: string;
}

const models = [
  { id: 101, model: 'alpha' },
  { id: 102, model: 'beta' },
  { id: 103, provider: 'other', model: 'alpha' },
];
const providers = (provider: { baseUrl: string }) => ({
  other: { kind: 'openai', base_url: provider.baseUrl },
});

/** Every test begins at noon of one day, so that no day ends during a test. */
const today = () => '2026-11-20';
const noon = Date.parse('2026-11-20T12:00:00Z') - Math.floor(performance.now());
const clock = {
  now: () => noon + Math.floor(performance.now()),
  monotonic: () => performance.now(),
};
const options = { models, providers, clock };

/** Sends with the ids and counts that will be compared. */
async function send(world: World, user: Chatter, lines: readonly Partial<Line>[], ai = 101) {
  const sent: Line[] = [];
  for (const { id = '', prompt = 7, completion = 3 } of lines) {
    const usage = { prompt_tokens: prompt, completion_tokens: completion };
    await world.provider.script({ id, usage });
    await user.send({ ai });
    sent.push({ id, prompt, completion, day: today(), model: ai === 102 ? 'beta' : 'alpha' });
  }
  return sent;
}

const idExport = (lines: readonly Line[]) =>
  ['generation_id,created_at,model_permaslug,tokens_prompt,tokens_completion,cost_total']
    .concat(
      lines.map(({ id, day, model, prompt, completion }) =>
        [id, `${day} 12:00:00.5`, model, prompt, completion, '0.1'].join(','),
      ),
    )
    .join('\r\n');

async function compare(world: World, text: string, wish: Partial<ReconcileOptions> = {}) {
  async function* pieces() {
    yield* text.match(/[^]{1,50}/g) ?? [];
  }
  const settings = { providers: [], models: [], ...wish };
  await using result = await reconcile(world.gateway.core, pieces(), settings);
  const all = async (kind: FindingKind): Promise<Finding[]> =>
    Array.fromAsync(result.findings(kind));
  return {
    totals: result.totals,
    unreadable: result.unreadable,
    differing: await all('differing'),
    onlyInFile: await all('only_in_file'),
    onlyWithUs: await all('only_with_us'),
  };
}

const byText = (first: string, second: string) => (first < second ? -1 : Number(first > second));

const idsOf = (findings: readonly Finding[]) =>
  findings.map(({ providerMessageId }) => providerMessageId ?? '').sort(byText);

for (const dialect of dialects) {
  describe(`${dialect}: an export of single answers`, () => {
    test('with lost, invented, changed and shuffled answers is reported exactly', async () => {
      await using world = await openWorld(dialect, options);
      const alice = await world.user({ credit: 1000 });
      const names = Array.from({ length: 12 }, (_, index) => ({
        id: `gen-${index}`,
        prompt: index,
        completion: 2 * index,
      }));
      const sent = await send(world, alice, names);
      const fate = fc.constantFrom('same', 'lost', 'prompt', 'completion');
      await fc.assert(
        fc.asyncProperty(
          fc.array(fate, { minLength: sent.length, maxLength: sent.length }),
          fc.array(fc.uuid(), { maxLength: 3 }),
          fc.infiniteStream(fc.nat()),
          async (fates, made, order) => {
            const reported = sent.flatMap((line, index) => {
              if (fates[index] === 'lost') return [];
              const { prompt, completion } = line;
              if (fates[index] === 'prompt') return [{ ...line, prompt: prompt + 1 }];
              return [fates[index] === 'same' ? line : { ...line, completion: completion + 1 }];
            });
            const strangers = made.map((id) => ({ ...(sent[0] as Line), id }));
            const shuffled = [...reported, ...strangers]
              .map((line) => ({ line, at: order.next().value as number }))
              .sort((a, b) => a.at - b.at)
              .map(({ line }) => line);
            const result = await compare(world, idExport(shuffled), { providers: ['scripted'] });
            const wanted = (...kinds: string[]) =>
              sent.filter((_, index) => kinds.includes(fates[index] ?? '')).map(({ id }) => id);
            expect(idsOf(result.differing)).toEqual(wanted('prompt', 'completion').sort(byText));
            expect(idsOf(result.onlyInFile)).toEqual([...new Set(made)].sort(byText));
            const { totals } = result;
            // An empty file has no dates that say which days it covers.
            if (shuffled.length > 0) {
              expect(idsOf(result.onlyWithUs)).toEqual(wanted('lost').sort(byText));
              expect(totals.onlyWithUs).toBe(wanted('lost').length);
            }
            expect(totals).toMatchObject({
              by: 'id',
              matched: wanted('same').length,
              differing: result.differing.length,
              onlyInFile: result.onlyInFile.length,
            });
            expect(totals.file.rows).toBe(shuffled.length);
            const sum = shuffled.reduce((all, { prompt }) => all + prompt, 0);
            expect(totals.file.promptTokens ?? 0).toBe(sum);
          },
        ),
        { numRuns: 25 },
      );
    }, 300_000);

    test('covers the providers whose answers it has; costs and charges are summed exactly', async () => {
      await using world = await openWorld(dialect, options);
      const alice = await world.user();
      const sent = await send(world, alice, [{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
      await send(world, alice, [{ id: 'elsewhere' }], 103);
      await world.provider.script({
        body: {
          choices: [{ message: { content: 'x' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 1, completion_tokens: 1 },
        },
      });
      await alice.send();
      await world.provider.script('503');
      await alice.code();
      const { totals, onlyWithUs } = await compare(world, idExport(sent.slice(0, 2)));
      expect(totals.providers).toEqual(['scripted']);
      expect(onlyWithUs).toMatchObject([
        {
          providerMessageId: 'c',
          provider: 'scripted',
          model: 'alpha',
          day: today(),
          userId: alice.userId,
          messageId: 3,
          file: null,
          line: null,
          ours: { requests: 1, promptTokens: 7, completionTokens: 3, estimated: false },
        },
      ]);
      const charges = await alice.charges();
      const ofScripted = charges.filter((_, index) => index !== 3);
      expect(totals.ours).toMatchObject({
        requests: 4,
        withoutId: 1,
        promptTokens: 22,
        completionTokens: 10,
        charged: ofScripted.reduce((sum, charge) => sum + charge, 0),
      });
      expect(totals.file).toMatchObject({ rows: 2, cost: '0.2', unreadable: 0, costUnread: 0 });
      const other = await compare(world, idExport(sent), { providers: ['other'] });
      expect(other.totals).toMatchObject({ matched: 0, onlyInFile: 3, onlyWithUs: 1 });
    });

    test('may have several lines for one id, and several answers of one id', async () => {
      await using world = await openWorld(dialect, options);
      const alice = await world.user();
      const bob = await world.user();
      const [first] = await send(world, alice, [{ id: 'twice', prompt: 5, completion: 1 }]);
      await send(world, bob, [{ id: 'twice', prompt: 6, completion: 2 }]);
      const line = first as Line;
      const half = await compare(world, idExport([line]));
      expect(half.differing).toMatchObject([
        { file: { promptTokens: 5 }, ours: { requests: 2, promptTokens: 11, completionTokens: 3 } },
      ]);
      const whole = await compare(world, idExport([line, { ...line, prompt: 6, completion: 2 }]));
      expect(whole.totals).toMatchObject({ matched: 1, differing: 0 });
    });

    test('compares cached and reasoning tokens if both sides have them', async () => {
      await using world = await openWorld(dialect, options);
      const alice = await world.user();
      const counts = { prompt_tokens: 7, completion_tokens: 3 };
      const details = {
        prompt_tokens_details: { cached_tokens: 5 },
        completion_tokens_details: { reasoning_tokens: 2 },
      };
      await world.provider.script({ id: 'counted', usage: { ...counts, ...details } });
      await alice.send({ ai: 101 });
      await world.provider.script({ id: 'plain', usage: counts });
      await alice.send({ ai: 101 });
      const file = (cached: string, reasoning: string) =>
        `id,date,prompt_tokens,completion_tokens,tokens_cached,tokens_reasoning
counted,${today()},7,3,${cached},${reasoning}
plain,${today()},7,3,1,1
`;
      for (const [cached, reasoning] of [
        ['5', '2'],
        ['', '2'],
        ['', ''],
      ] as const) {
        const { totals } = await compare(world, file(cached, reasoning));
        expect(totals).toMatchObject({ matched: 2, differing: 0 });
      }
      for (const [cached, reasoning] of [
        ['4', '2'],
        ['5', '0'],
      ] as const) {
        const { differing } = await compare(world, file(cached, reasoning));
        expect(differing).toMatchObject([
          {
            providerMessageId: 'counted',
            ours: { cachedTokens: 5, reasoningTokens: 2 },
            file: { cachedTokens: Number(cached), reasoningTokens: Number(reasoning) },
          },
        ]);
      }
    });

    test('without dates reports no answers as missing from the file, unless days are given', async () => {
      await using world = await openWorld(dialect, options);
      const alice = await world.user();
      const sent = await send(world, alice, [{ id: 'a' }, { id: 'b' }]);
      const text = 'id,prompt_tokens\na,7\n';
      const { totals } = await compare(world, text);
      expect(totals).toMatchObject({ matched: 1, onlyWithUs: null, from: null, to: null });
      const dated = await compare(world, text, { from: today(), to: today() });
      expect(dated.totals).toMatchObject({ matched: 1, onlyWithUs: 1 });
      const long = await compare(world, idExport(sent), { from: '2020-01-01', to: '2020-01-31' });
      expect(long.totals).toMatchObject({ matched: 0, onlyInFile: 2, onlyWithUs: 0 });
    });

    test('with unreadable lines: they are reported, and the others are compared', async () => {
      await using world = await openWorld(dialect, options);
      const alice = await world.user();
      const [sent] = await send(world, alice, [{ id: 'a' }]);
      const text = `${idExport([sent as Line])}\r\n,2026-11-01,m,1,1,1\r\nb,never,m,1,1,1\r\nc,2026-11-01,m,-1,1,1\r\nd,${today()},m,1,1,-5`;
      const { totals, unreadable, onlyInFile } = await compare(world, text);
      expect(unreadable).toEqual([
        { line: 3, problem: 'it has no id' },
        { line: 4, problem: '"never" is not a date' },
        { line: 5, problem: 'a count is not a whole number of at least 0' },
      ]);
      expect(totals.file).toMatchObject({ rows: 5, unreadable: 3, costUnread: 1 });
      expect(idsOf(onlyInFile)).toEqual(['d']);
      expect(totals.matched).toBe(1);
    });
  });

  describe(`${dialect}: an export by day and model`, () => {
    const head = 'start_time_iso,model,num_model_requests,input_tokens,output_tokens';
    const line = (model: string, requests: number, input: number, output: number, day = today()) =>
      `${day}T00:00:00+00:00,${model},${requests},${input},${output}`;

    test('is summed over dated model names, and compared with the sums of charges', async () => {
      await using world = await openWorld(dialect, options);
      const alice = await world.user();
      const bob = await world.user();
      await send(world, alice, [
        { prompt: 5, completion: 1 },
        { prompt: 6, completion: 2 },
      ]);
      await send(world, bob, [{ prompt: 7, completion: 3 }]);
      await send(world, bob, [{ prompt: 8, completion: 4 }], 102);
      const good = [
        head,
        line('alpha-2026-01-31', 1, 5, 1),
        line('alpha-2026-01-31', 2, 13, 5),
        line('beta', 1, 8, 4),
        `${today()}T00:00:00+00:00,,,,`,
      ];
      const same = await compare(world, good.join('\n'));
      expect(same.totals).toMatchObject({
        by: 'day',
        matched: 2,
        differing: 0,
        onlyInFile: 0,
        onlyWithUs: 0,
        providers: ['scripted'],
        from: today(),
        to: today(),
        file: { requests: 5, promptTokens: 26, completionTokens: 10, unreadable: 0 },
        ours: { requests: 4, promptTokens: 26, completionTokens: 10 },
      });
      const charges = [...(await alice.charges()), ...(await bob.charges())];
      expect(same.totals.ours.charged).toBe(charges.reduce((sum, charge) => sum + charge, 0));

      const odd = [head, line('alpha', 3, 18, 7), line('gamma', 1, 1, 1)];
      const result = await compare(world, odd.join('\n'));
      expect(result.totals).toMatchObject({
        matched: 0,
        differing: 1,
        onlyInFile: 1,
        onlyWithUs: 1,
      });
      expect(result.differing).toMatchObject([
        { model: 'alpha', file: { completionTokens: 7 }, ours: { completionTokens: 6 } },
      ]);
      expect(result.onlyInFile).toMatchObject([{ model: 'gamma', line: 3, ours: null }]);
      expect(result.onlyWithUs).toMatchObject([
        { model: 'beta', provider: 'scripted', file: null },
      ]);

      const named = await compare(
        world,
        [head, line('gamma', 1, 8, 4), line('alpha', 3, 18, 6)].join('\n'),
        {
          models: ['gamma=beta'],
        },
      );
      expect(named.totals).toMatchObject({ matched: 2, differing: 0, onlyWithUs: 0 });
    });

    test("with a model name that two providers share needs the provider's name", async () => {
      await using world = await openWorld(dialect, options);
      const alice = await world.user();
      await send(world, alice, [{ prompt: 5, completion: 1 }]);
      await send(world, alice, [{ prompt: 50, completion: 10 }], 103);
      const text = [head, line('alpha', 1, 50, 10)].join('\n');
      expect(String(await failure(compare(world, text)))).toContain(
        'scripted and other both have alpha',
      );
      const { totals } = await compare(world, text, { providers: ['other'] });
      expect(totals).toMatchObject({ matched: 1, onlyWithUs: 0, providers: ['other'] });
    });

    test('of other days: its lines exist only in the file, and our days outside it are ignored', async () => {
      await using world = await openWorld(dialect, options);
      await send(world, await world.user(), [{ id: 'a' }]);
      const text = [head, line('alpha', 1, 7, 3, '2020-05-05')].join('\n');
      const { totals } = await compare(world, text, { providers: ['scripted'] });
      expect(totals).toMatchObject({ from: '2020-05-05', onlyInFile: 1, onlyWithUs: 0 });
      const wide = await compare(world, text, { providers: ['scripted'], to: today() });
      expect(wide.totals).toMatchObject({ onlyInFile: 1, onlyWithUs: 1 });
    });
  });
}

describe('a file', () => {
  test.each([
    ['', 'the file is empty'],
    ['\n\r\n', 'the file is empty'],
    ['a,b\n1,2', 'the file needs columns of tokens with an id'],
    ['id,model\nx,m', 'the file needs columns of tokens'],
    ['model,input_tokens\nm,1', 'with a date and a model; it has model, input_tokens'],
    ['id,input_tokens\n"x,1', 'the file is not CSV: line 2: a quote is not closed'],
    ['date,model,input_tokens\n', 'the file has no line with a date'],
  ])('%j is refused', async (text, message) => {
    await using world = await openWorld('sqlite', options);
    const error = await failure(compare(world, text));
    expect(error).toMatchObject({ code: 'invalid_request' });
    expect(String(error)).toContain(message);
    const nobody = await failure(compare(world, 'id,input_tokens\n', { providers: ['nobody'] }));
    expect(String(nobody)).toContain('nobody is not a provider of the catalogue');
    const unnamed = failure(
      compare(world, 'date,model,input_tokens\n2026-01-01,m,1', { models: ['m=nothing'] }),
    );
    expect(String(await unnamed)).toContain('of a model of the catalogue');
  });
});
