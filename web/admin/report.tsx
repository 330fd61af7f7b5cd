import { call, type Data } from '../api/client.ts';
import { query } from '../app/routes.ts';
import { dayZone, number, rubles, signedRubles } from '../i18n/format.ts';
import { micro } from '../lib/money.ts';
import { CsvButton } from '../ui/csv-button.tsx';
import { Facts } from '../ui/facts.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { Title } from '../ui/title.tsx';
import { changeFilter, FilterField, given } from './filters.tsx';
import { offsetOf, PAGE_ROWS, Pager } from './pager.tsx';
import { reportCsv } from './report-csv.ts';
import { ReportPlot } from './report-plot.tsx';
import { ifKnown, ReportTable } from './report-table.tsx';
import { w } from './words/index.ts';

export const parts = ['day', 'model', 'provider', 'user', 'key'] as const;
export type Part = (typeof parts)[number];
export type Report = Data<'/admin/report/'>;

/** The filters in the URL. */
function filtersOfUrl() {
  const by = query.value.get('by')?.split(',') ?? ['model'];
  const filters = { from: given('from'), to: given('to'), login: given('login') };
  return { ...filters, by: parts.filter((part) => by.includes(part)) };
}

/** Earnings: revenue, cost and margin, and the money in accounts. */
export function ReportScreen() {
  const words = w();
  const offset = offsetOf();
  const filters = filtersOfUrl();
  const loaded = useLoaded(
    (signal) => call('/admin/report/', { ...filters, limit: PAGE_ROWS, offset }, { signal }),
    [JSON.stringify(filters), offset],
  );
  return (
    <>
      <Title name={words.report.title} />
      <Filters filters={filters} />
      <p class="small">{words.sums.utc(dayZone.value)}</p>
      <Show of={loaded}>
        {(report) => (
          <>
            <Sums report={report} />
            <Money report={report} />
            {report.count > 0 && (
              <>
                <ReportPlot from={report.from} to={report.to} login={filters.login} />
                <p>
                  <CsvButton
                    name={`${words.report.file}-${report.from}-${report.to}`}
                    rows={() => reportCsv(filters)}
                  />
                </p>
                <ReportTable report={report} by={filters.by} />
              </>
            )}
            {report.count === 0 && <p>{words.sums.none}</p>}
            <Pager offset={offset} shown={report.rows.length} total={report.count} />
          </>
        )}
      </Show>
    </>
  );
}

function Filters({
  filters: { from, to, login, by },
}: {
  filters: ReturnType<typeof filtersOfUrl>;
}) {
  const words = w();
  return (
    <>
      <form class="row" role="search" onSubmit={(event) => event.preventDefault()}>
        <FilterField name="from" label={words.sums.from} value={from} type="date" />
        <FilterField name="to" label={words.sums.to} value={to} type="date" />
        <FilterField name="login" label={words.report.onlyLogin} value={login} type="search" />
      </form>
      <fieldset class="row">
        <legend>{words.sums.by}</legend>
        {parts.map((part) => (
          <label class="check" key={part}>
            <input
              type="checkbox"
              checked={by.includes(part)}
              disabled={by.length === 1 && by.includes(part)}
              onChange={() => {
                const next = parts.filter((one) => by.includes(one) !== (one === part));
                changeFilter({ by: next.join(',') });
              }}
            />
            {words.sums.parts[part]}
          </label>
        ))}
      </fieldset>
    </>
  );
}

function Sums({ report: { total } }: { report: Report }) {
  const words = w().report;
  return (
    <>
      <Facts
        of={[
          [words.revenue, <strong key="revenue">{rubles(micro(total.revenue))}</strong>],
          [words.cost, ifKnown(total, total.cost)],
          [
            words.margin,
            <span class={total.margin < 0 ? 'bad' : undefined}>
              {ifKnown(total, total.margin)}
            </span>,
          ],
          [w().sums.requests, number(total.requests)],
          [
            words.undercharged,
            `${rubles(micro(total.undercharged))} (${number(total.undercharges)})`,
          ],
          [words.failed, `${rubles(micro(total.failed_cost))} (${number(total.failed_attempts)})`],
        ]}
      />
      {total.unknown_cost_messages > 0 && (
        <p class="notice">
          {words.unknown(
            number(total.unknown_cost_messages),
            rubles(micro(total.unknown_cost_revenue)),
          )}
        </p>
      )}
    </>
  );
}

/** The balances before and after, and what happened in between. */
function Money({ report: { accounts } }: { report: Report }) {
  const words = w().report;
  if (!accounts) return null;
  return (
    <>
      <h2>{words.accounts}</h2>
      <Facts
        of={[
          [words.opening, rubles(micro(accounts.opening_balance))],
          [words.payments, signedRubles(micro(accounts.payments))],
          [words.refunds, signedRubles(micro(accounts.refunds))],
          [words.corrections, signedRubles(micro(accounts.corrections))],
          [words.charges, signedRubles(0 - micro(accounts.charges))],
          [words.closing, <strong key="closing">{rubles(micro(accounts.closing_balance))}</strong>],
          [words.held, rubles(micro(accounts.held))],
        ]}
      />
    </>
  );
}
