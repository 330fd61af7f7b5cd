/**
 * About how many seconds the slowest test files take, by their log of a whole run. They start first, so that no process
 * works on one of them alone at the end.
 */
export const slowTests: Readonly<Record<string, number>> = {
  'tests/torture/small.test.ts': 150,
  'tests/torture/checker.test.ts': 60,
  'tests/trust/page/hostile-pages.test.ts': 45,
  'tests/web/chat.test.ts': 45,
  'tests/web/every-screen.test.ts': 45,
  'tests/web/hostile.test.ts': 45,
  'tests/chat/money-faults.test.ts': 40,
  'tests/db/upgrade.test.ts': 35,
  'tests/cli/commands.test.ts': 30,
  'tests/cli/secret-owner.test.ts': 30,
  'tests/cli/trust.test.ts': 30,
  'tests/cli/workers.test.ts': 30,
  'tests/http/admin-trust-jobs.test.ts': 30,
  'tests/web/trust.test.ts': 30,
  'tests/cli/start.test.ts': 25,
  'tests/http/docs.test.ts': 25,
  'tests/web/admin.test.ts': 25,
  'tests/cli/compiled.test.ts': 20,
  'tests/cli/denied.test.ts': 20,
  'tests/cli/stop.test.ts': 20,
  'tests/cli/stuck-database.test.ts': 20,
  'tests/http/login-flood.test.ts': 15,
  'tests/web/admin-files.test.ts': 15,
  'tests/web/business.test.ts': 15,
  'tests/web/refund.test.ts': 15,
  'tests/web/search.test.ts': 15,
  'tests/web/spend.test.ts': 15,
};

/** Of any other file. */
export const USUAL_TEST_S = 2;
