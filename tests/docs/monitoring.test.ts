/** The dashboard and the alert rules of deploy/ use metrics and labels that exist. */
import { expect, test } from 'bun:test';
import { parse } from 'yaml';
import { z } from 'zod';

const root = `${import.meta.dir}/../..`;
const text = (path: string) => Bun.file(`${root}/${path}`).text();

/** Labels that Prometheus adds itself. */
const ADDED = ['instance', 'job', 'le'];

/** The fields that Prometheus reads in a file of rules; others are refused. */
const rulesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Zastava[A-Za-z]+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smhd]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'info']) }),
          annotations: z.strictObject({ summary: z.string(), description: z.string() }),
        }),
      ),
    }),
  ),
});

const dashboardSchema = z.looseObject({
  panels: z.array(
    z.looseObject({
      id: z.int(),
      targets: z.array(z.looseObject({ expr: z.string(), legendFormat: z.string() })).default([]),
    }),
  ),
});

/** Labels by metric, of the table that metrics.test.ts compares with a gateway. */
async function documented(): Promise<Map<string, string[]>> {
  const rows = (await text('docs/operating.md')).matchAll(
    /^\| `((?:zastava|process)_\w+)` \|([^|]*)\|/gm,
  );
  return new Map(
    [...rows].map(([, name = '', labels = '']) => [name, namesIn(labels, /`(\w+)`/g)]),
  );
}

function namesIn(query: string, pattern: RegExp): string[] {
  return [...query.matchAll(pattern)].map(([, name = '']) => name);
}

const metricsIn = (query: string) =>
  namesIn(query, /\b((?:zastava|process)_\w+)/g).map((name) =>
    name.replace(/_seconds_bucket$|(?<=_size)_(?:sum|count)$/, (end) =>
      end === '_seconds_bucket' ? '_seconds' : '',
    ),
  );

/** Labels of selectors, of `by (…)` and of legends. */
const labelsIn = (query: string) => [
  ...namesIn(query, /[{,]\s*(\w+)\s*[=!]/g),
  ...namesIn(query, /by \(([\w, ]+)\)/g).flatMap((list) => list.split(/,\s*/)),
  ...namesIn(query, /\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g),
];

/** Errors in a query and in the texts about its results. */
function problems(known: ReadonlyMap<string, string[]>, query: string, about: string): string[] {
  const metrics = metricsIn(query);
  const labels = new Set([...ADDED, ...metrics.flatMap((name) => known.get(name) ?? [])]);
  const isOpen = (open: string, close: string) =>
    query.split(open).length !== query.split(close).length;
  return [
    ...metrics.filter((name) => !known.has(name)).map((name) => `no metric ${name}`),
    ...labelsIn(`${query} ${about}`)
      .filter((label) => !labels.has(label))
      .map((label) => `no label ${label}`),
    ...(isOpen('(', ')') || isOpen('{', '}') || isOpen('[', ']') ? ['brackets'] : []),
  ].map((problem) => `${query}: ${problem}`);
}

test('the alert rules', async () => {
  const known = await documented();
  const { groups } = rulesSchema.parse(parse(await text('deploy/alerts.yaml')));
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(10);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  const wrong = rules.flatMap(({ expr, annotations }) =>
    problems(known, expr, `${annotations.summary} ${annotations.description}`),
  );
  expect(wrong).toEqual([]);
});

test('the dashboard, which shows every metric', async () => {
  const known = await documented();
  const { panels } = dashboardSchema.parse(JSON.parse(await text('deploy/grafana.json')));
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const targets = panels.flatMap((panel) => panel.targets);
  expect(targets.flatMap(({ expr, legendFormat }) => problems(known, expr, legendFormat))).toEqual(
    [],
  );
  const shown = new Set(targets.flatMap(({ expr }) => metricsIn(expr)));
  expect([...known.keys()].filter((name) => !shown.has(name))).toEqual([]);
});

test('a wrong query is found', async () => {
  const known = await documented();
  const wrong = problems(known, 'sum by (user) (rate(zastava_nothing_total{x="1"}[5m])', '');
  expect(wrong.map((line) => line.replace(/^.*: /, ''))).toEqual([
    'no metric zastava_nothing_total',
    'no label x',
    'no label user',
    'brackets',
  ]);
});
