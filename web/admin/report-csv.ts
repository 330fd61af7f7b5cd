import { type Body, call } from '../api/client.ts';
import type { Cell } from '../lib/csv.ts';
import { micro } from '../lib/money.ts';
import type { Part, Report } from './report.tsx';
import { partHeads } from './report-table.tsx';
import { w } from './words/index.ts';

const CSV_PAGE = 1000;

type ReportFilters = Body<'/admin/report/'> & { by: readonly Part[] };

/** All rows of a report, read page by page. @throws ApiError */
export async function reportCsv(filters: ReportFilters): Promise<Cell[][]> {
  const { sums, report: words } = w();
  const heads = partHeads();
  const rows: Cell[][] = [
    [
      ...filters.by.map((part) => heads[part]),
      sums.requests,
      sums.promptTokens,
      sums.completionTokens,
      words.revenue,
      words.cost,
      words.margin,
      words.unknownMessages,
      words.unknownRevenue,
      words.undercharged,
      words.failed,
    ],
  ];
  for (;;) {
    const offset = rows.length - 1;
    const page = await call('/admin/report/', { ...filters, limit: CSV_PAGE, offset });
    for (const row of page.rows) rows.push(csvRow(row, filters.by));
    if (page.rows.length === 0 || rows.length > page.count) return rows;
  }
}

const amount = (rubles: number): Cell => ({ micro: micro(rubles) });

function csvRow(row: Report['rows'][number], by: readonly Part[]): Cell[] {
  const names: Record<Part, string | null> = {
    day: row.day,
    model: row.model,
    provider: row.provider,
    user: row.login,
    key: row.key_name,
  };
  return [
    ...by.map((part) => names[part]),
    row.requests,
    row.prompt_tokens,
    row.completion_tokens,
    amount(row.revenue),
    amount(row.cost),
    amount(row.margin),
    row.unknown_cost_messages,
    amount(row.unknown_cost_revenue),
    amount(row.undercharged),
    amount(row.failed_cost),
  ];
}
