import { afterAll } from 'bun:test';
import { stopChromium } from './support/chromium.ts';
import { stopPostgres } from './support/postgres.ts';

// One of each per test process, started by the first test that needs it.
afterAll(async () => {
  await Promise.all([stopPostgres(), stopChromium()]);
});
