/**
 * Promise R5: the books balance. Random commands of many concurrent users, through the interfaces of several nodes, are
 * compared with a model that only adds; then SQL statements attempt changes that the database must refuse.
 */
import fc from 'fast-check';
import { verifyBooks } from '../../../src/ledger/index.ts';
import { openGateway } from '../../support/gateway.ts';
import { campaign, linesOf, nodesOn, type Report, type Run } from '../support/campaign.ts';
import { catalogueFor } from '../support/catalogue.ts';
import { startJournalProvider, type Plan } from '../support/journal-provider.ts';
import { command, type Command } from './commands.ts';
import { play } from './player.ts';
import { tamper } from './tamper.ts';

/** The concurrent players of a run. */
const USERS = 8;
const COMMANDS = { minLength: 20, maxLength: 120 };
/** About the number of players: fast-check prefers short lists. */
const COMMANDS_A_RUN = USERS * 45;

interface BooksSizes extends Record<string, number> {
  commands: number;
  /** In this process. On PostgreSQL; SQLite has one. */
  nodes: number;
}

export const books = campaign<BooksSizes>({
  name: 'books',
  promise: 'R5',
  title: 'the books balance',
  full: { commands: 100_000, nodes: 3 },
  small: { commands: 300, nodes: 1 },
  run: runBooks,
});

async function runBooks({ dialect, seed, sizes }: Run<BooksSizes>): Promise<Report> {
  const plans = new Map<string, Plan>();
  const provider = startJournalProvider((message) => plans.get(message) ?? {});
  await using gateway = await openGateway(dialect, {
    catalogue: catalogueFor({ journal: provider }),
  });
  const { token: admin } = await gateway.addUser({ isAdmin: true });
  await using stack = new AsyncDisposableStack();
  const nodes = [gateway];
  while (nodes.length < nodesOn(dialect, sizes.nodes)) {
    nodes.push(stack.use(await openGateway(dialect, { database: gateway.database })));
  }
  let turn = 0;
  const next = () => nodes[turn++ % nodes.length] ?? gateway;
  const table = { next, admin, plans };
  let played = 0;
  const run = async (games: readonly (readonly Command[])[]): Promise<void> => {
    plans.clear();
    played += games.reduce((sum, { length }) => sum + length, 0);
    await Promise.all(games.map((commands) => play(table, commands)));
  };
  const users = { minLength: USERS, maxLength: USERS };
  const games = fc.array(fc.array(command, { ...COMMANDS, size: 'max' }), {
    ...users,
    size: 'max',
  });
  const numRuns = Math.ceil(sizes.commands / COMMANDS_A_RUN);
  const result = await fc.check(fc.asyncProperty(games, run), { seed, numRuns });
  const unequal = result.failed
    ? [`${String(result.errorInstance)}, by ${JSON.stringify(result.counterexample)}`]
    : [];
  const { db } = gateway.core;
  const passed = await tamper(db);
  const proofs = (await verifyBooks(db)).filter(({ holds }) => !holds).map(({ name }) => name);
  await provider.stop();
  return {
    figures: { commands: played, calls: provider.calls.length },
    broken: linesOf({ unequal, notRefused: passed, brokenProofs: proofs }),
  };
}
