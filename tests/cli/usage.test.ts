/** How the command line reads its arguments: help, wrong usage, questions, and output for machines. */
import { describe, expect, test } from 'bun:test';
import type { Command } from 'commander';
import { UserList } from '../../src/chat/index.ts';
import { Output } from '../../src/cli/output.ts';
import type { CliParts } from '../../src/cli/context.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { openGateway } from '../support/gateway.ts';

interface Run {
  code: number;
  out: string;
  err: string;
}

/** Runs a command line; `parts` decides how far the command gets. */
async function run(words: string[], parts: Partial<CliParts> = {}, answer?: string): Promise<Run> {
  const printed = { out: '', err: '' };
  const terminal: Terminal = {
    interactive: answer !== undefined,
    write: async (text) => void (printed.out += text),
    writeError: async (text) => void (printed.err += text),
    ask: async (question) => {
      printed.err += question;
      return answer ?? '';
    },
    readAll: () => Promise.resolve(''),
  };
  const code = await runCommandLine({ ...nothingBehind, terminal, ...parts }, words);
  return { code, ...printed };
}

const unreachable = () => Promise.reject(new Error('this command should not get here'));

const nothingBehind = {
  version: '1.2.3',
  env: {},
  openCore: unreachable,
};

/** The names of all commands that do something. */
function leaves(command: Command, path: string[] = []): string[][] {
  if (command.commands.length === 0) return [path];
  return command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
}

const silent: Terminal = {
  interactive: false,
  write: () => Promise.resolve(),
  writeError: () => Promise.resolve(),
  ask: () => Promise.resolve(''),
  readAll: () => Promise.resolve(''),
};
const everyCommand = leaves(
  await buildProgram(
    {
      ...nothingBehind,
      terminal: silent,
      output: new Output(silent),
      exitCode: 0,
    },
    [],
    { out: '', err: '' },
  ),
);

describe('help', () => {
  test('lists the commands of the contract', () => {
    const names = everyCommand.map((words) => words.join(' '));
    expect(names).toEqual(
      expect.arrayContaining([
        'serve',
        ...['add', 'credit', 'limit', 'password'].map((name) => `user ${name}`),
        ...['list', 'show', 'block', 'unblock', 'erase', 'export'].map((name) => `user ${name}`),
        'key create',
        'key list',
        'key revoke',
        'catalogue apply',
        'catalogue show',
        'ledger verify',
        'backup',
        'restore',
        ...['import', 'rank', 'check', 'crawl'].map((name) => `trust ${name}`),
        ...['release list', 'release use', 'seeds add', 'seeds remove', 'seeds list'].map(
          (name) => `trust ${name}`,
        ),
      ]),
    );
  });

  test.each(everyCommand.map((words) => [words.join(' ')]))(
    '%s has a help with an example, and takes --json',
    async (words) => {
      const { code, out, err } = await run([...words.split(' '), '--help']);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toStartWith(`Usage: zastava ${words} `);
      expect(out).toMatch(/\nExamples?:\n {2}\S/);
      expect(out).toContain('--json');
    },
  );

  test.each([
    ['help user credit', 'Usage: zastava user credit '],
    ['user help credit', 'Usage: zastava user credit '],
    ['help user', 'Usage: zastava user '],
    ['user help', 'Usage: zastava user '],
    ['help trust release use', 'Usage: zastava trust release use '],
    ['help', 'Usage: zastava '],
  ])('%s shows the help of that command', async (words, start) => {
    const { code, out, err } = await run(words.split(' '));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toStartWith(start);
  });

  test('without a command lists the commands; --version prints the version', async () => {
    expect((await run(['--help'])).out).toContain('catalogue');
    expect(await run(['--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '' });
  });
});

describe('wrong usage ends with 2 and one line', () => {
  test.each([
    [['usr'], "unknown command 'usr' (Did you mean user?) See: zastava --help"],
    [
      ['user', 'creditt'],
      "unknown command 'creditt' (Did you mean credit?) See: zastava user --help",
    ],
    [['help', 'usr'], "unknown command 'usr' (Did you mean user?) See: zastava --help"],
    [['user', 'help', 'nonsense'], "unknown command 'nonsense'. See: zastava user --help"],
    [['help', 'user', 'nonsense'], "unknown command 'nonsense'. See: zastava user --help"],
    [['user', 'add'], "missing required argument 'login'. See: zastava user add --help"],
    [
      ['trust', 'release', 'use'],
      "missing required argument 'name'. See: zastava trust release use --help",
    ],
    [
      ['trust', 'seeds', 'listt'],
      "unknown command 'listt' (Did you mean list?) See: zastava trust seeds --help",
    ],
    [['user', 'list', 'x'], /^too many arguments.* See: zastava user list --help$/],
    [['user', 'list', '--jsom'], /^unknown option '--jsom' \(Did you mean --json\?\)/],
    [['user', 'credit', 'ivan', '5'], /^required option '--reason <text>' not specified\./],
    [['user', 'credit', 'ivan', '5,50', '--reason', 'x'], /such as 500 or 12\.50/],
    [['user', 'credit', 'ivan', '0.0000001', '--reason', 'x'], /at most six decimals/],
    [['user', 'credit', 'ivan', '1e3', '--reason', 'x'], /at most six decimals, such as 500/],
    [['user', 'add', 'ivan', '--credit', '1E2'], /at most six decimals, such as 500/],
    [['user', 'limit', 'ivan', '5e0'], /at most six decimals, such as 500/],
    [['user', 'credit', 'ivan', '9000000000', '--reason', 'x'], /from -8000000000 to 8000000000\./],
    [['user', 'limit', 'ivan', '9000000000'], /Give rubles from 0 to 8000000000\./],
    [
      ['user', 'add', 'ivan', '--credit', '8000000000.000001'],
      /Give rubles from 0 to 8000000000\./,
    ],
    [['user', 'add', 'ivan', '--credit', '-1'], /Give rubles from 0 to 8000000000\./],
    [['user', 'quota', 'ivan', '--requests-per-minute', '-1'], /a whole number, at least 1\./],
    [['user', 'quota', 'ivan', '--requests-per-minute', '0'], /a whole number, at least 1\./],
    [
      ['user', 'quota', 'ivan', '--rubles-per-day', '0'],
      /Give rubles from 0\.000001 to 8000000000\./,
    ],
    [['user', 'add', 'ivan', '--trust-allowance', '1.5'], /a whole number, at least 0/],
    [['key', 'create', 'ivan', '--name', 'x', '--expires', '2030-02-30'], /such as 2030-12-31/],
    [['key', 'create', 'ivan', '--name', 'x', '--expires', 'tomorrow'], /such as 2030-12-31/],
  ])('%j', async (words, expected) => {
    const { code, out, err } = await run(words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^zastava: [^\n]+\n$/);
    const message = err.slice('zastava: '.length, -1);
    if (typeof expected === 'string') expect(message).toBe(expected);
    else expect(message).toMatch(expected);
  });

  test('a group alone lists its commands on standard error', async () => {
    const { code, out, err } = await run(['user']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toStartWith('Usage: zastava user ');
  });

  test.each([[['usr', '--json']], [['user', '--json']], [['--json', 'user', 'add']]])(
    '%j is reported in JSON',
    async (words) => {
      const { code, out, err } = await run(words);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(JSON.parse(err)).toEqual({ error: { code: 'usage', message: expect.any(String) } });
    },
  );
});

describe('a refusal ends with 1', () => {
  const failing = {
    openCore: () => Promise.reject(new Error('ZASTAVA_PORT: no\nZASTAVA_HOST: no')),
  };

  test('and lines of text', async () => {
    const { code, err } = await run(['user', 'list'], failing);
    expect({ code, err }).toEqual({
      code: 1,
      err: 'zastava: ZASTAVA_PORT: no\nzastava: ZASTAVA_HOST: no\n',
    });
  });

  test('and one JSON object', async () => {
    const { code, out, err } = await run(['user', 'list', '--json'], failing);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(JSON.parse(err).error).toEqual({
      code: 'failed',
      message: 'ZASTAVA_PORT: no\nZASTAVA_HOST: no',
    });
  });
});

test('without a terminal, erasing needs --yes', async () => {
  await using gateway = await openGateway('sqlite');
  await gateway.addUser({ login: 'ivan' });
  const core = { ...gateway.core, close: () => Promise.resolve() };
  const parts = { openCore: () => Promise.resolve(core) };
  const { code, err } = await run(['user', 'erase', 'ivan'], parts);
  expect({ code, err }).toEqual({
    code: 1,
    err: 'zastava: --yes is required to erase ivan without a terminal\n',
  });
  expect((await gateway.core.users.find('ivan')).erasedAt).toBeNull();
  expect((await run(['user', 'erase', 'ivan', '--yes'], parts)).code).toBe(0);
});

test('the help marks required options', async () => {
  const { out } = await run(['user', 'credit', '--help']);
  expect(out).toMatch(/--reason <text> .*\(required\)/s);
  expect(out).not.toMatch(/--json .*\(required\)/);
});

describe('on a terminal', () => {
  test('erasing asks for confirmation, and only yes erases', async () => {
    await using gateway = await openGateway('sqlite');
    await gateway.addUser({ login: 'ivan' });
    const core = { ...gateway.core, close: () => Promise.resolve() };
    const parts = { openCore: () => Promise.resolve(core) };
    for (const answer of ['', 'n', 'yesterday']) {
      const { code, out, err } = await run(['user', 'erase', 'ivan'], parts, answer);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain('Erase ivan with all texts and images, for good? [y/N] ');
    }
    expect((await gateway.core.users.find('ivan')).erasedAt).toBeNull();
    expect((await run(['user', 'erase', 'ivan'], parts, 'y')).code).toBe(0);
    const { users } = await new UserList(gateway.core).read({ limit: 10 });
    expect(users.map(({ user }) => user.login)).toEqual(['erased-1']);
  });

  test('a list of more than a page is complete', async () => {
    await using gateway = await openGateway('sqlite');
    const logins = Array.from({ length: 501 }, (_, index) => `user-${index}`);
    for (const login of logins) await gateway.addUser({ login });
    const core = { ...gateway.core, close: () => Promise.resolve() };
    const { out } = await run(['user', 'list', '--json'], {
      openCore: () => Promise.resolve(core),
    });
    const listed: { login: string }[] = JSON.parse(out);
    expect(listed.map(({ login }) => login)).toEqual(logins);
  });
});
