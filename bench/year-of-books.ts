import { closeRunningSums, closeUsageDay, type Database, type Dialect } from '../src/db/index.ts';
import { openYear, type GeneratedYear } from '../tests/support/generated-year.ts';
import { parentOf } from './support/database-server.ts';
import type { Measure, MeasureOptions } from './support/measure.ts';
import { grouped, medianOf, quantileOf } from './support/numbers.ts';
import { cpuMs } from './support/processes.ts';

const SIZE = { messages: 100_000, users: 50, models: 12 };
const ROUNDS = 20;
const PAGE = 50;
const dialects = ['sqlite', 'postgres'] as const satisfies readonly Dialect[];

interface List {
  name: string;
  path: string;
  body: object;
  token: string;
}

/** The cost to the server of each list of Spend and of the administration, after a year of use. */
export const yearOfBooks: Measure = {
  name: 'year',
  run: async (options) => {
    const measured = new Map<string, string[]>();
    for (const dialect of dialects) {
      for (const [name, cells] of await measure(dialect, options)) {
        measured.set(name, [...(measured.get(name) ?? []), ...cells]);
      }
    }
    return {
      name: 'Year',
      title: `the lists of Spend and Admin after ${grouped(SIZE.messages)} settled messages, ms`,
      columns: ['list', 'SQLite', 'p95', 'processor', 'PostgreSQL', 'p95 of it', 'processor of it'],
      rows: [...measured].map(([name, cells]) => [name, ...cells]),
      notes: [
        `A year of ${SIZE.users} users, ${SIZE.models} models and ${SIZE.users * 2} API keys, booked as sends book them; the ranges are the whole year, the user is the one with most messages.`,
        'Processor: of the gateway and, with PostgreSQL, of its server; means, of ticks of 10 ms for the server.',
        `Milliseconds from the request to its whole answer inside the process, medians of ${ROUNDS} rounds in turn.`,
        '`ledger verify` holds on both; `npm run torture -- year` compares the sums with its books.',
      ],
    };
  },
};

async function measure(
  dialect: Dialect,
  { progress }: MeasureOptions,
): Promise<Map<string, string[]>> {
  progress(`${dialect}: booking ${grouped(SIZE.messages)} messages`);
  await using year = await openYear(dialect, SIZE);
  const { gateway, admin } = year;
  // As the chore does it on the day itself.
  while (await closeUsageDay(gateway.core.db));
  while (await closeRunningSums(gateway.core.db));
  const verify = '/admin/ledger/verify/';
  const { holds } = await gateway.data<{ holds: boolean }>(verify, {}, admin);
  if (!holds) throw new Error(`${dialect}: the books of the generated year do not hold`);
  const times = new Map<string, number[]>();
  const processor = new Map<string, number>();
  const processorMs = await processorOf(gateway.core.db);
  const lists = listsOf(year);
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, path, body, token } of lists) {
      const before = processorMs();
      const start = performance.now();
      await gateway.data(path, body, { token });
      const took = performance.now() - start;
      times.set(name, [...(times.get(name) ?? []), took]);
      processor.set(name, (processor.get(name) ?? 0) + processorMs() - before);
    }
    progress(`${dialect}: round ${round + 1}/${ROUNDS}`);
  }
  return new Map(
    [...times].map(([name, all]) => [
      name,
      [
        medianOf(all).toFixed(1),
        quantileOf(all, 0.95).toFixed(1),
        ((processor.get(name) ?? 0) / ROUNDS).toFixed(1),
      ],
    ]),
  );
}

/** Reads the processor time of this process, and of the PostgreSQL server if the benchmark started it. */
async function processorOf(db: Database): Promise<() => number> {
  const [row] =
    db.dialect === 'postgres'
      ? await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      : [];
  const server = row && parentOf(row.pid);
  return () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000 + (server === undefined ? 0 : (cpuMs(server) ?? 0));
  };
}

function listsOf({ users: [user], admin, range }: GeneratedYear): List[] {
  if (!user) throw new Error('the year has no user');
  const own = (name: string, path: string, body: object): List => ({
    name: `Spend: ${name}`,
    path,
    body,
    token: user.token,
  });
  const ofAll = (name: string, path: string, body: object): List => ({
    name: `Admin: ${name}`,
    path,
    body,
    token: admin.token,
  });
  const usage = (name: string, body: object) =>
    ofAll(`usage by ${name}`, '/admin/usage/', { ...range, limit: PAGE, ...body });
  const report = (name: string, by: string[]) =>
    ofAll(`report, ${name}`, '/admin/report/', { ...range, limit: 366, by });
  const { login } = user;
  return [
    own('days and models', '/account/usage/', range),
    own('keys', '/account/usage/keys/', range),
    own('rooms', '/account/usage/rooms/', { limit: 10 }),
    own('transactions', '/account/transactions/', { ...range, limit: 100 }),
    ofAll('overview', '/admin/status/', {}),
    ofAll('users', '/admin/users/', { limit: PAGE, order: 'balance' }),
    usage('day, model, provider, user', {}),
    usage('all four, page 200', { offset: 200 * PAGE }),
    usage('day, model', { by: ['day', 'model'] }),
    usage('day, provider', { by: ['day', 'provider'] }),
    usage('model, user', { by: ['model', 'user'] }),
    usage('user', { by: ['user'] }),
    report('all', []),
    report('day', ['day']),
    report('user', ['user']),
    report('user, key', ['user', 'key']),
    ofAll("a user's usage", '/admin/users/usage/', { ...range, login }),
    ofAll("a user's transactions", '/admin/users/transactions/', { login, limit: PAGE }),
  ];
}
