/**
 * Runs the tests with the runtime of this checkout.
 * Usage: test.ts [patterns and flags of bun test]; without any, everything in tests.
 */
/** Ends a test that hangs. A machine that is busy with other things may be ten times slower than an idle one. */
const TEST_TIMEOUT_MS = 300_000;

const given = process.argv.slice(2);
const tests = Bun.spawn(
  [
    process.execPath,
    'test',
    `--timeout=${TEST_TIMEOUT_MS}`,
    ...(given.length > 0 ? given : ['./tests']),
  ],
  { cwd: `${import.meta.dir}/..`, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' },
);
process.exit(await tests.exited);
