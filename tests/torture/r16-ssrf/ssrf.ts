import { campaign } from '../support/campaign.ts';
import { runTests } from '../support/other-tests.ts';

/** Promise R16: no request of the page fetcher reaches an address that it must not reach. */
export const ssrf = campaign({
  name: 'ssrf',
  promise: 'R16',
  title: 'no connection to a denied address',
  full: {},
  // Those tests run with the others anyway.
  small: undefined,
  // The page fetcher uses no database.
  dialects: ['sqlite'],
  run: ({ dialect }) =>
    runTests(
      ['addresses', 'guard', 'guarded-fetch'].map((name) => `./tests/trust/page/${name}.test.ts`),
      dialect,
    ),
});
