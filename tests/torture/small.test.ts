/** The promises at a small size; `npm run torture` runs them at full size. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { seed } from '../support/seed.ts';
import { campaigns } from './campaigns.ts';

/** A busy machine may be ten times slower. */
const TIMEOUT_MS = 300_000;

for (const { name, promise, title, small, run, ...campaign } of campaigns) {
  if (small === undefined) continue;
  const sensible = campaign.smallDialects ?? campaign.dialects ?? dialects;
  describe(`${promise}: ${title}`, () => {
    for (const dialect of sensible.filter((one) => dialects.includes(one))) {
      test(
        `${dialect}, at a small size`,
        async () => {
          const { broken, notPossible } = await run({
            dialect,
            seed,
            sizes: small,
            judgeTime: false,
          });
          if (notPossible !== undefined) console.log(`${name}: not possible here: ${notPossible}`);
          // The failure's message has the seed, which repeats the random choices.
          expect({ name, seed, broken }).toEqual({ name, seed, broken: [] });
        },
        TIMEOUT_MS,
      );
    }
  });
}
