/** Promise R25: after a year of messages, Spend and the administration add up to the books. */
import { closeUsageDay, closeRunningSums } from '../../../src/db/index.ts';
import { verifyBooks } from '../../../src/ledger/index.ts';
import { openYear, YEAR_DAYS, type GeneratedYear } from '../../support/generated-year.ts';
import { campaign, type Report, type Run } from '../support/campaign.ts';
import { type Charge, chargesOf, micro, total } from './charges.ts';
import { Checks } from './checks.ts';
import { checkReports } from './report.ts';
import { checkSpend } from './spend.ts';
import { checkUsage } from './usage.ts';

type Sizes = { messages: number; users: number; models: number; page: number };

/** Sums are read from closed days for some days, and not for the others. */
const CLOSED_DAYS = 150;
/** Of all messages, including failed ones. */
const CHARGED_SHARE_MIN = 0.9;

export const year = campaign<Sizes>({
  name: 'year',
  promise: 'R25',
  title: "a year's sums on Spend and in the administration equal the books",
  full: { messages: 100_000, users: 50, models: 12, page: 997 },
  small: { messages: 2_000, users: 8, models: 5, page: 397 },
  run: runYear,
});

async function runYear({ dialect, seed, sizes }: Run<Sizes>): Promise<Report> {
  await using generated = await openYear(dialect, sizes, seed);
  const { gateway } = generated;
  const { db } = gateway.core;
  const checks = new Checks();
  for (let day = 0; day < CLOSED_DAYS; day++) await closeUsageDay(db);
  await checkProofs(generated, checks);
  const charges = await chargesOf(generated);
  checks.same(
    'share of charged messages',
    charges.length > sizes.messages * CHARGED_SHARE_MIN,
    true,
  );
  await checkSpend(generated, charges, checks);
  await checkUsage(generated, charges, sizes.page, checks);
  await checkReports(generated, checks);
  while (await closeUsageDay(db));
  while (await closeRunningSums(db));
  await checkReports(generated, checks);
  await checkToday(generated, charges, checks);
  await checkProofs(generated, checks);
  return {
    figures: { days: YEAR_DAYS, charges: charges.length, checks: checks.made },
    broken: checks.broken,
  };
}

async function checkProofs({ gateway: { core } }: GeneratedYear, checks: Checks): Promise<void> {
  for (const { name, holds } of await verifyBooks(core.db)) checks.same(name, holds, true);
}

async function checkToday(
  { gateway, admin, range }: GeneratedYear,
  charges: readonly Charge[],
  checks: Checks,
): Promise<void> {
  interface Status {
    today: { requests: number; spend: number };
  }
  const { today } = await gateway.data<Status>('/admin/status/', {}, admin);
  const ofToday = charges.filter(({ day }) => day === range.to);
  checks.same('requests of today', today.requests, ofToday.length);
  checks.same('spend of today', micro(today.spend), total(ofToday));
}
