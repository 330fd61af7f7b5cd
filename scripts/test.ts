/**
 * Runs the tests with the runtime of this checkout.
 * Usage: test.ts [patterns and flags of bun test]; without any, everything in tests.
 */
import { availableParallelism } from 'node:os';

/** Ends a test that hangs. A machine that is busy with other things may be ten times slower than an idle one. */
const TEST_TIMEOUT_MS = 300_000;
/** Each process has a PostgreSQL and a Chromium of its own, so that more of them cost memory. */
const PROCESSES_MAX = 4;

const given = process.argv.slice(2);
const processes = Math.min(availableParallelism(), PROCESSES_MAX);
const tests = Bun.spawn(
  [
    process.execPath,
    'test',
    `--timeout=${TEST_TIMEOUT_MS}`,
    // Files of one process share its globals, so that it starts one PostgreSQL for all of them.
    ...(given.length > 0 ? given : [`--parallel=${processes}`, '--no-isolate', './tests']),
  ],
  { cwd: `${import.meta.dir}/..`, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' },
);
process.exit(await tests.exited);
