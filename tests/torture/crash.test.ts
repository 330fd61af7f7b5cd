/** Promise R1 at a small size; `npm run torture -- crash` runs it 200 times. */
import { describe, expect, test } from 'bun:test';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { crash } from './crash.ts';

const KILLS = 3;
const IN_FLIGHT = 50;
const TIMEOUT_MS = 120_000;

for (const dialect of dialects) {
  describe(`${dialect}: a crash loses or doubles no charge`, () => {
    test(
      `killed ${KILLS} times in the middle of ${IN_FLIGHT} sends`,
      async () => {
        await using database = await openTestDatabase(dialect);
        const seed = Date.now() % 1_000_000_000;
        const { charged, answered, ...report } = await crash({
          database: database.config,
          kills: KILLS,
          inFlight: IN_FLIGHT,
          seed,
        });
        // The seed stands in the failure's message, and repeats the run.
        expect(report).toMatchObject({
          seed,
          lost: [],
          doubled: [],
          invented: [],
          repeatedCalls: [],
          openHolds: 0,
          brokenBooks: [],
        });
        expect(answered).toBeGreaterThan(0);
        expect(charged).toBeGreaterThanOrEqual(answered);
      },
      TIMEOUT_MS,
    );
  });
}
