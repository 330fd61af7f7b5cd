/** The campaign of `npm run clients` itself: its drivers, its verdicts, its table and its recipes. */
import { describe, expect, test } from 'bun:test';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cells, type Cell, modelNames, type Result } from '../../clients/cells.ts';
import { DRIVERS, parseDriver, readDrivers, recipesOf } from '../../clients/drivers.ts';
import { judge, type Said, type Seen } from '../../clients/judge.ts';
import { tableText } from '../../clients/table.ts';
import { replyTo } from '../../clients/upstream/model.ts';
import { message, type Turn } from '../../clients/upstream/turn.ts';

const root = resolve(import.meta.dir, '../..');
const read = (path: string) => Bun.file(join(root, path)).text();
const drivers = await readDrivers();
const results = JSON.parse(await read('clients/results.json')) as Result[];

describe('the table of tested clients', () => {
  test('has a row for each driver, and no other', () => {
    const rows = results.map(({ client }) => client);
    expect(rows.toSorted()).toEqual(drivers.map(({ client }) => client).toSorted());
    expect(new Set(rows).size).toBe(rows.length);
  });

  test('is written from the results', async () => {
    expect(await read('docs/clients-tested.md')).toBe(tableText(results));
  });

  test('shows what a client lacks, and the worst of the three models, with a note and whose fault it is', () => {
    const pass = { verdict: 'pass' } as const;
    const result: Result = {
      client: 'x',
      kind: 'sdk',
      version: '1.0',
      date: '2026-01-31',
      clientsFault: { cut: 'it takes a broken stream for whole' },
      outcomes: {
        chat: { 'gpt-5.1': pass, 'quasar-1': { verdict: 'fails', note: 'got | nothing' } },
        tools: { 'gpt-5.1': { verdict: 'refused', note: 'top_k is not supported' } },
        cut: { 'gpt-5.1': { verdict: 'fails', note: 'no error' } },
        stream: { 'gpt-5.1': pass },
        image: { 'gpt-5.1': { verdict: 'none' } },
      },
    };
    const text = tableText([result]);
    const row = text.split('\n').find((line) => line.startsWith('| x |')) ?? '';
    const fields = row.split('|').map((field) => field.trim());
    expect(fields.slice(2, 5)).toEqual([
      '1.0',
      '2026-01-31',
      'only chat, stream, tools, cut stream; chat: **fails, ours** [1](#notes); tools: refused [2](#notes); cut stream: **fails, client’s** [3](#notes)',
    ]);
    expect(text).toContain('1. got nothing (quasar-1)');
    expect(text).toContain('3. it takes a broken stream for whole');
    expect(tableText([result])).toBe(text);
  });

  test('says why a client could not be installed', () => {
    const untried = {
      ...results[0],
      client: 'y',
      outcomes: {},
      untried: 'no such package',
    } as Result;
    expect(tableText([untried])).toContain('not tried [1](#notes)');
    expect(tableText([untried])).toContain('1. no such package');
  });
});

test('a signal ends the campaign with all it has started, and is its exit code', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zastava-campaign-'));
  try {
    // Both ends of this pipe are open while the npm lives that is to start the gateway.
    const pipe = join(folder, 'npm-lives');
    expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0);
    const npm = join(folder, 'npm');
    await Bun.write(npm, `#!/bin/sh\nexec 3>'${pipe}'\necho started >&3\nexec sleep 600\n`);
    await chmod(npm, 0o755);
    const temporary = join(folder, 'temporary');
    await mkdir(temporary);
    const realNpm = Bun.which('npm') ?? '';
    const campaign = Bun.spawn([realNpm, 'run', '--silent', 'clients', '--', 'Aider'], {
      cwd: root,
      env: {
        ...process.env,
        PATH: `${folder}:${process.env['PATH']}`,
        TMPDIR: temporary,
      },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'inherit',
    });
    const lives = Bun.spawn(['cat', pipe]).stdout.getReader();
    expect((await lives.read()).done).toBe(false);
    campaign.kill('SIGTERM');
    expect(await campaign.exited).toBe(143);
    expect((await lives.read()).done).toBe(true);
    expect(await readdir(temporary)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

describe('a driver', () => {
  test('names its client and its packages; braces make a row for each version', () => {
    const text =
      "// client: openai (JavaScript)\n// npm: openai@{6,7} zod\n// client's cut: it does not tell\n";
    const parsed = parseDriver('x.mjs', text);
    expect(parsed.map(({ client, packages }) => [client, packages])).toEqual([
      ['openai 6 (JavaScript)', ['openai@6', 'zod']],
      ['openai 7 (JavaScript)', ['openai@7', 'zod']],
    ]);
    expect(parsed[0]?.clientsFault).toEqual({ cut: 'it does not tell' });
    expect(() => parseDriver('x.py', '# client: x\n')).toThrow('pypi');
  });

  test('has its recipe in the documents, to the letter', async () => {
    const page = await read('docs/clients.md');
    let count = 0;
    for (const file of new Set(drivers.map((driver) => driver.file))) {
      for (const recipe of recipesOf(await Bun.file(join(DRIVERS, file)).text())) {
        count++;
        expect([file, page.includes(`\n${recipe}\n`)]).toEqual([file, true]);
      }
    }
    expect(count).toBeGreaterThan(20);
  });
});

describe('a cell', () => {
  const seen: Seen = { exchanges: [], left: 0, pictureBytes: 70, readOnAndCharged: false };
  const verdictOf = (cell: Cell, said: Said, more: Partial<Seen> = {}) =>
    judge(cell, said, { ...seen, ...more }).verdict;
  const refusal = (status: number, code: string) => ({
    path: '/v1/chat/completions',
    status,
    error: JSON.stringify({ error: { code, message: 'words' } }),
  });
  const thrown = { error: { name: 'Error', message: 'words' } };

  test('passes only with what the scripted model said', () => {
    const good: Partial<Record<Cell, unknown>> = {
      chat: 'Good morning from the model.',
      stream: { text: 'Good morning from the model.', pieces: 3 },
      tools: 'Weather: Paris 21; Rome 24',
      image: 'I see image/png of 70 bytes.',
      tool_image: 'I see image/png of 70 bytes.',
      structured: { name: 'Ada', age: 36 },
      reasoning: { text: 'The answer is 42.', reasoning: 'Let me think about it.' },
    };
    for (const [cell, value] of Object.entries(good) as [Cell, unknown][]) {
      expect([cell, verdictOf(cell, { value })]).toEqual([cell, 'pass']);
      expect([cell, verdictOf(cell, { value: 'something' })]).toEqual([cell, 'fails']);
      expect([cell, verdictOf(cell, thrown)]).toEqual([cell, 'fails']);
    }
    expect(verdictOf('reasoning', { value: { text: '42', reasoning: '' } })).toBe('fails');
  });

  test('of a refusal passes with its status and code, shown once', () => {
    const funds = refusal(402, 'insufficient_funds');
    expect(verdictOf('funds', thrown, { exchanges: [funds] })).toBe('pass');
    expect(verdictOf('funds', thrown, { exchanges: [funds, funds] })).toBe('fails');
    expect(verdictOf('funds', { value: 'x' }, { exchanges: [funds] })).toBe('fails');
    const long = refusal(400, 'context_length_exceeded');
    expect(verdictOf('overflow', thrown, { exchanges: [long] })).toBe('pass');
    expect(verdictOf('overflow', thrown, { exchanges: [funds] })).toBe('fails');
  });

  test('is refused if the gateway names the field', () => {
    const exchanges = [refusal(400, 'invalid_request')];
    expect(judge('image', thrown, { ...seen, exchanges })).toEqual({
      verdict: 'refused',
      note: 'words',
    });
  });

  test('of a broken or left stream passes if both sides noticed', () => {
    expect(verdictOf('cut', thrown)).toBe('pass');
    expect(verdictOf('cut', { value: { text: 'number 1' } })).toBe('fails');
    expect(verdictOf('abort', { value: 'left' }, { left: 1 })).toBe('pass');
    expect(verdictOf('abort', { value: 'left' })).toBe('fails');
    expect(verdictOf('abort', { value: 'left' }, { readOnAndCharged: true })).toBe('pass');
  });

  test('has a name, and each model a dialect', () => {
    expect(Object.keys(cells)).toHaveLength(11);
    expect(modelNames).toHaveLength(3);
  });
});

describe('the scripted model', () => {
  const tool = { name: 'get_weather', description: '', schema: {} };
  const turn = (messages: Turn['messages']): Turn => ({
    messages,
    tools: [tool],
    mustCall: false,
    schema: undefined,
    streamed: false,
  });

  test('calls a tool for each city, and answers with what the tools said', () => {
    const question = message('user', 'What is the weather in Paris and Rome?');
    const first = message('tool', 'Paris 21');
    const cityOf = (messages: Turn['messages']) => replyTo(turn(messages)).call?.arguments['city'];
    expect(cityOf([question])).toBe('Paris');
    expect(cityOf([question, first])).toBe('Rome');
    const second = message('tool', 'Rome 24');
    expect(replyTo(turn([question, first, second])).text).toBe('Weather: Paris 21; Rome 24');
  });

  test('reports the size of a picture, and finishes the task of an agent step by step', () => {
    const picture = { type: 'image/png', bytes: 70 };
    const shown = { ...message('user', 'What is this?'), pictures: [picture] };
    expect(replyTo({ ...turn([shown]), tools: [] }).text).toBe('I see image/png of 70 bytes.');
    const properties = { path: { type: 'string' }, command: { type: 'string' } };
    const tools = [
      { name: 'read', description: '', schema: { properties: { path: properties.path } } },
      { name: 'bash', description: '', schema: { properties: { command: properties.command } } },
    ];
    const task = message('user', 'ZASTAVA-TASK. All is in the folder /w .');
    const said = ['before', '', ''].map((text) => message('tool', text));
    const calls = [0, 1, 2, 3].map((done) => {
      const messages = [task, ...said.slice(0, done)];
      return replyTo({ ...turn(messages), tools }).call;
    });
    expect(calls.map((call) => call?.name)).toEqual(['read', 'bash', 'bash', 'read']);
    expect(calls[0]?.arguments).toEqual({ path: '/w/note.txt' });
    expect(calls[3]?.arguments).toEqual({ path: '/w/screen.png' });
    const ended = [task, ...said, { ...message('tool'), pictures: [picture] }];
    expect(replyTo({ ...turn(ended), tools }).text).toContain('The task is done.');
  });
});
