/** The price lists of tests/fixtures/price-lists, and helpers to import them. */
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { type Catalogue, type ImportOptions } from '../../src/catalogue/index.ts';
import { planImport } from '../../src/catalogue/import/plan-import.ts';
import { readPriceList } from '../../src/catalogue/import/read-list.ts';
import { resultOf } from '../../src/lib/steps.ts';
import { known } from './fixtures.ts';

const folder = `${import.meta.dir}/../fixtures/price-lists`;

export const listPath = (name: 'models-dev' | 'litellm') => `${folder}/${name}.json`;
export const listText = (name: 'models-dev' | 'litellm') => Bun.file(listPath(name)).text();

/** 92.5 ₽ a dollar and 20 percent: 111 ₽ for a dollar. */
export const usual: ImportOptions = {
  usdRate: '92.5',
  markup: '20',
  providers: [],
  map: [],
  add: [],
  allowFree: false,
  longContext: 'refuse',
};

export const importOptions = (more: Partial<ImportOptions> = {}): ImportOptions => ({
  ...usual,
  ...more,
});

export const TODAY = '2026-11-21';

/** A catalogue file with providers of the lists, and these models, each a YAML map in one line. */
export function listedFile(models: readonly string[]): string {
  return `
providers:
  openai: { kind: openai }
  claude: { kind: anthropic }
  gemini: { kind: gemini }
  shop: { kind: openai, base_url: https://reseller.example/v1 }
  house: { kind: openai, base_url: http://10.0.0.7:8000/v1 }
models:${models.map((model) => `\n  - ${model}`).join('') || ' []'}
`;
}

/** A model of those providers; `more` are further fields, each after a comma. */
export function listedModel(id: number, provider: string, model: string, more = ''): string {
  return `{ id: ${id}, provider: ${provider}, model: ${model}, type: TEXT, max_input_tokens: 30000, max_output_tokens: 4000${more} }`;
}

export const allKinds = { ...known, kinds: ['openai', 'anthropic', 'gemini', 'sandbox'] };

/** What an import into a catalogue file would do, by the name of the list's row. */
export async function outcomesOf(
  name: 'models-dev' | 'litellm',
  file: string,
  wish: Partial<ImportOptions> = {},
) {
  const { providers, models } = parseCatalogue(file, allKinds);
  const list = readPriceList(await listText(name), TODAY);
  const { report, ...writes } = resultOf(
    planImport(list, { providers, models }, importOptions(wish)),
  );
  const plan = { ...report, ...writes };
  const by = new Map(plan.outcomes.map((outcome) => [outcome.listModel, outcome]));
  const facts = new Map(
    [...plan.changed.values(), ...plan.added].map((planned) => [
      planned.outcome.listModel,
      planned.facts,
    ]),
  );
  return {
    plan,
    outcome: (row: string) => by.get(row),
    reason: (row: string) => by.get(row)?.reason,
    facts: (row: string) => facts.get(row),
    price: (row: string) => facts.get(row)?.price,
  };
}

/** Rubles to micro-rubles. */
export const rub = (rubles: number) => Math.round(rubles * 1e6);

/** The lines of the outcomes other than skipped rows. */
export async function importLines(
  catalogue: Catalogue,
  name: 'models-dev' | 'litellm',
  wish: Partial<ImportOptions> = {},
  options: Parameters<Catalogue['importPrices']>[2] = {},
): Promise<string[]> {
  const { formatOutcome } = await import('../../src/catalogue/index.ts');
  const report = await catalogue.importPrices(await listText(name), importOptions(wish), options);
  return report.outcomes.filter(({ kind }) => kind !== 'skipped').map(formatOutcome);
}

/** The changes that an import makes to a model without a cost: it gets the listed dollars. */
export function costFrom(input: number, output: number) {
  const cost = {
    currency: 'USD',
    rate: 92.5,
    rate_date: TODAY,
    input_tokens: input,
    output_tokens: output,
  };
  return Object.entries(cost).map(([name, to]) => ({ field: `cost.${name}`, from: null, to }));
}
