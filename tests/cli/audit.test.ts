/**
 * The audit of the command line: each command that changes something leaves a row, and `zastava audit` shows all rows.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { CliContext } from '../../src/cli/context.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { systemUser } from '../../src/config/index.ts';
import { readCsv } from '../../src/lib/csv.ts';
import { dialects } from '../support/databases.ts';
import { changedTables, tableDigests } from '../support/table-digests.ts';
import { movableClock } from '../support/clock.ts';
import { runCommand } from '../support/command.ts';
import { setUpSecondFactor } from '../support/second-factor.ts';
import { openWorld, type World } from '../support/world.ts';
import { writeGraph } from '../trust/check/links.ts';

/** Commands that are not run here, each with the reason. */
const notRun: Readonly<Record<string, string>> = {
  serve: 'acts as the server: admin-audit.test.ts',
  backup: 'changes nothing of the database',
  restore: 'makes another database',
  'copy-to-postgres': 'makes another database',
  'secret adopt': 'needs that no server runs: secret-owner.test.ts',
  'trust check': 'stores pages, which is no administrative act',
  'trust watch': 'stores what it has seen, which is no administrative act',
  'trust jobs': 'asks a server: trust-jobs.test.ts',
  'trust stop': 'asks a server, too, and is recorded: trust-jobs.test.ts',
};

const price = 'cost_input_tokens_rub=25';

/** One or more command lines for each other command, in an order in which they work. */
function commandLines(dir: string, login: string, message: number): string[][] {
  const on = (words: string) => `${words} ${login}`.split(' ');
  const prices = ['catalogue', 'import', join(dir, 'list.json'), '--usd-rate', '92.5'];
  const refund = [
    'refund',
    '--model',
    '101',
    '--from',
    '2020-01-01T00:00Z',
    '--to',
    '2100-01-01T00:00Z',
  ];
  refund.push('--percent', '50', '--reason', 'wrong price');
  const graph = ['--vertices', join(dir, 'vertices.txt'), '--edges', join(dir, 'edges.txt')];
  return [
    ['user', 'add', 'newcomer', '--credit', '5'],
    ['user', 'list'],
    on('user show'),
    [...on('user attempts'), String(message)],
    on('user transactions'),
    on('user usage'),
    [...on('user credit'), '1', '--reason', 'a gift'],
    [...refund, '--dry-run'],
    refund,
    [...on('user refund'), String(message), '--reason', 'cut'],
    [...on('user limit'), '1'],
    [...on('user quota'), '--requests-per-minute', '60'],
    on('user quota'),
    on('user password'),
    [...on('user role'), 'operator'],
    [...on('user role'), 'user'],
    [...on('user second-factor'), '--reset'],
    on('user block'),
    on('user unblock'),
    on('user export'),
    [...on('key create'), '--name', 'x'],
    on('key list'),
    ['key', 'limit', 'KEY'],
    ['key', 'limit', 'KEY', '--rubles-total', '100'],
    ['key', 'rotate', 'KEY'],
    ['key', 'revoke', 'KEY'],
    [...on('user erase'), '--yes'],
    ['catalogue', 'show'],
    ['catalogue', 'versions', '101'],
    ['catalogue', 'price', '101', price, 'cost_output_tokens_rub=200', '--dry-run'],
    ['catalogue', 'price', '101', price, 'cost_output_tokens_rub=200'],
    prices,
    [...prices, '--map', 'scripted=openai', '--apply'],
    ['catalogue', 'apply', join(dir, 'catalogue.yaml')],
    ['catalogue', 'apply', join(dir, 'catalogue.yaml')],
    ['invitation', 'create', '--uses', '2'],
    ['invitation', 'list'],
    ['invitation', 'show', '1'],
    ['invitation', 'revoke', '1'],
    ['voucher', 'create', '--count', '2', '--rub', '5'],
    ['voucher', 'list'],
    ['voucher', 'show', '1'],
    ['voucher', 'revoke', '1'],
    ['voucher', 'revoke', '1'],
    ['status'],
    ['usage'],
    ['audit'],
    ['report'],
    ['report', '--by', 'user', '--model', '1', '--provider', 'sandbox'],
    ['ledger', 'verify'],
    ['reconcile', join(dir, 'export.csv')],
    ['trust', 'seeds', 'add', '--spam', join(dir, 'spam.txt')],
    ['trust', 'seeds', 'list'],
    ['trust', 'seeds', 'remove', 'spam.ru'],
    ['trust', 'crawl'],
    ['trust', 'import', ...graph, '--release', 'one'],
    ['trust', 'rank'],
    ['trust', 'import', ...graph, '--release', 'two'],
    ['trust', 'rank', '--release', 'two'],
    ['trust', 'release', 'list'],
    ['trust', 'release', 'use', 'one'],
    ['trust', 'release', 'remove', 'two'],
  ];
}

/** The names of these commands in the audit; other commands must leave no row. */
const actions: Readonly<Record<string, string>> = {
  'user add': 'user_added',
  'user credit': 'user_credited',
  'user refund': 'user_refunded',
  refund: 'messages_refunded',
  'user limit': 'user_credit_limit_set',
  'user quota': 'user_limits_set',
  'user password': 'user_password_set',
  'user role': 'user_role_set',
  'user second-factor': 'user_second_factor_reset',
  'user block': 'user_blocked',
  'user unblock': 'user_unblocked',
  'user export': 'user_exported',
  'user erase': 'user_erased',
  'key create': 'key_created',
  'key limit': 'key_changed',
  'key rotate': 'key_rotated',
  'key revoke': 'key_revoked',
  'catalogue price': 'price_set',
  'catalogue import': 'catalogue_imported',
  'catalogue apply': 'catalogue_applied',
  'invitation create': 'invitation_created',
  'invitation revoke': 'invitation_revoked',
  'voucher create': 'vouchers_created',
  'voucher revoke': 'vouchers_revoked',
  'trust seeds add': 'seeds_added',
  'trust seeds remove': 'seeds_removed',
  'trust crawl': 'sites_crawled',
  'trust import': 'graph_imported',
  'trust rank': 'graph_ranked',
  'trust release use': 'releases_chosen',
  'trust release remove': 'release_removed',
};

function leaves(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(' ')];
  return command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
}

const printed = { out: '', err: '' };
const everyCommand = leaves(await buildProgram({ version: '1' } as CliContext, [], printed));

async function writeFiles(dir: string): Promise<void> {
  await writeGraph(dir, [
    ['alpha.ru', 'beta.ru'],
    ['msu.edu', 'alpha.ru'],
  ]);
  const listed = { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1e-6 };
  const list = { 'scripted-text': { ...listed, output_cost_per_token: 2e-6 } };
  await writeFile(join(dir, 'list.json'), JSON.stringify(list));
  await writeFile(join(dir, 'catalogue.yaml'), 'models: []');
  await writeFile(join(dir, 'export.csv'), 'id,date,model\nx,2026-01-01,gpt-x\n');
  await writeFile(join(dir, 'spam.txt'), 'spam.ru\n');
}

for (const dialect of dialects) {
  describe(`${dialect}: the audit of commands`, () => {
    let world: World;
    beforeAll(async () => {
      world = await openWorld(dialect);
    });
    afterAll(() => world[Symbol.asyncDispose]());

    test('has a row for each that changes something, and for no other', async () => {
      const { core, dataDir: dir } = world.gateway;
      const alice = await world.user();
      await writeFiles(dir);
      const lines = commandLines(dir, alice.login, (await alice.send()).id);
      const priority = getPriority();
      await setUpSecondFactor(world.gateway, movableClock(), alice);
      const seen = new Set<string>();
      for (const words of lines) {
        const name = everyCommand.find((known) => words.join(' ').startsWith(known)) ?? '';
        seen.add(name);
        const before = await tableDigests(core.db);
        const [last] = await core.audit.read({ limit: 1 });
        const [key] = await core.keys.list(alice.userId);
        const given = words.map((word) => (word === 'KEY' ? (key?.id ?? '') : word));
        const { err } = await runCommand(core, given);
        const entries = await core.audit.read({ limit: 100 });
        const added = entries.filter(({ id }) => id > (last?.id ?? 0));
        const changed = changedTables(before, await tableDigests(core.db));
        const acted = added.map(({ action, origin, system_user: user }) => [action, origin, user]);
        if (changed.length > 0 || acted.length > 0) {
          const row = [actions[name], 'command', systemUser()];
          expect([words, err, acted]).toEqual([words, err, [row as never]]);
        }
      }
      expect(getPriority()).toBe(priority);
      expect([...seen, ...Object.keys(notRun)].toSorted()).toEqual(everyCommand.toSorted());
      const acted = new Set((await core.audit.read({ limit: 100 })).map(({ action }) => action));
      expect([...acted].toSorted() as string[]).toEqual(Object.values(actions).toSorted());
    });

    test('is printed as a table, as lines of JSON and as CSV', async () => {
      const { core } = world.gateway;
      await runCommand(core, ['user', 'add', 'boris']);
      await runCommand(core, ['user', 'credit', 'boris', '2.5', '--reason', 'x']);
      const audit = (...words: string[]) =>
        runCommand(core, ['audit', '--user', 'boris', ...words]);
      expect((await audit()).out).toMatch(/user_credited +boris +balance 0 -> 2\.5\n/);
      const lines = (await audit('--json')).out.trim().split('\n');
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        {
          action: 'user_credited',
          login: 'boris',
          before: { balance: 0 },
          after: { balance: 2.5 },
        },
        { action: 'user_added', system_user: systemUser(), after: { role: 'user' } },
      ]);
      const [records = []] = await Array.fromAsync(readCsv([(await audit('--csv')).out]));
      const [head, first] = records.map(({ fields }) => fields);
      expect(first?.[head?.indexOf('after') ?? 0]).toBe('{"balance":2.5}');
      const of = async (...words: string[]) => (await audit('--json', ...words)).out;
      expect(await of('--limit', '1')).toBe(`${lines[0]}\n`);
      expect(await of('--action', 'user_added')).toBe(`${lines[1]}\n`);
      expect(await of('--origin', 'http')).toBe('');
      expect(await of('--to', '2020-01-01')).toBe('');
      expect((await audit('--json', '--csv')).code).toBe(1);
      expect((await audit('--from', '2026-02-01', '--to', '2026-01-01')).code).toBe(1);
      expect((await runCommand(core, ['audit', '--by', 'nobody'])).code).toBe(1);
    });
  });
}
