import { afterAll } from 'bun:test';
import { configureGlobal } from 'fast-check';
import { seed } from './support/seed.ts';
import { stopChromium } from './support/chromium.ts';
import { stopPostgres } from './support/postgres.ts';

// One of each per test process, started by the first test that needs it. A worker of `--parallel` comes here after each of
// its files, and would start them hundreds of times: there they end with the process, by themselves.
if (process.env.BUN_TEST_WORKER_ID === undefined) {
  afterAll(async () => {
    await Promise.all([stopPostgres(), stopChromium()]);
  });
}

configureGlobal({ seed });
