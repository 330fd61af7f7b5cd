import { z } from 'zod';
import {
  catalogueInRussian,
  type ImportOptions,
  type ImportReport,
  notListedView,
  outcomeView,
  USD_RATE_MAX,
} from '../../catalogue/index.ts';
import { translatorOf } from '../languages.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { Translate } from '../../lib/sentences.ts';
import { adminOperation } from '../operation.ts';
import { intOrNull, textOrNull } from '../schemas.ts';
import { changedFields, givenRevision, revision, translatedCatalogue } from './catalogue.ts';

/** The public lists have up to 5 MB. */
const BODY_MAX_BYTES = 16 * 1024 * 1024;
/** The most items of each list of codes, names or pairs. */
const WORDS_MAX = 1_000;

const decimalProblem = 'must be a decimal number such as 92.5, at least 0';
/** A text, if the value must be exact, or a number. */
const decimal = z
  .union([z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, decimalProblem), z.number().min(0)], {
    error: decimalProblem,
  })
  .meta({ examples: ['92.5'] });
const words = z.array(z.string()).max(WORDS_MAX).nullish();

const importBody = z.object({
  list: z
    .record(z.string(), z.unknown())
    .describe(
      'The price list: `api.json` of models.dev, or `model_prices_and_context_window.json` of LiteLLM. Only the part about your providers is needed.',
    ),
  usd_rate: decimal
    .refine((rate) => Number(rate) > 0 && Number(rate) <= USD_RATE_MAX, {
      error: `must be rubles for a dollar, above 0 and at most ${USD_RATE_MAX}`,
    })
    .describe(`Rubles for a US dollar: above 0, at most ${USD_RATE_MAX}.`),
  markup: decimal.nullish().describe('Percent on top of the list; 0 by default.'),
  providers: words.describe('Only these providers of the catalogue; absent: all.'),
  map: z
    .record(z.string(), z.string())
    .nullish()
    .describe('From provider codes to the names of these providers in the list.'),
  add: words.describe(
    'Names of models to add if the catalogue lacks them; `*` stands for any text.',
  ),
  allow_free: z.boolean().nullish().describe('Accept prices of zero.'),
  long_context: z
    .enum(['both', 'refuse', 'highest'])
    .nullish()
    .describe(
      'What to do with a model that costs more for long inputs. `both`, the default: each price applies to its lengths.',
    ),
  apply: z.boolean().nullish().describe('true: apply; else only show what would change.'),
  revision: givenRevision,
});

export const catalogueImportOperation = ({ catalogue }: OperationParts) =>
  adminOperation({
    path: '/admin/catalogue/import/',
    act: 'catalogue_imported',
    ...translatedCatalogue,
    summary: 'Import prices from a public price list',
    description:
      'Shows what would change for each model; with `apply: true` it does. A price change is a new dated version. The next catalogue file that is applied sets its own prices again.',
    body: importBody,
    bodyMaxBytes: BODY_MAX_BYTES,
    example: {
      list: {
        openai: { id: 'openai', models: { 'gpt-5-mini': { cost: { input: 1, output: 2 } } } },
      },
      usd_rate: '92.5',
    },
    result: z.object({
      format: z.enum(['models.dev', 'LiteLLM']),
      applied: z.boolean(),
      revision,
      rows: z
        .array(
          z.object({
            outcome: z.enum(['added', 'changed', 'unchanged', 'refused', 'skipped']),
            list_provider: z.string(),
            list_model: z.string(),
            provider: textOrNull,
            model_id: intOrNull,
            fields: changedFields,
            usd: z
              .record(z.string(), z.string())
              .readonly()
              .nullable()
              .describe('Prices in dollars, as in the list.'),
            reason: textOrNull,
            note: textOrNull,
            text: z.string().describe('The row in one line, in English.'),
          }),
        )
        .describe('Rows of the list about models of the catalogue.'),
      skipped: z.int().describe('How many rows are about models that the catalogue does not have.'),
      not_listed: z
        .array(
          z.object({
            model_id: intOrNull,
            provider: z.string(),
            model: z.string(),
            reason: z.string(),
          }),
        )
        .describe('Models of the catalogue without a row in the list.'),
    }),
    handle: async (body, call) => {
      const applied = body.apply ?? false;
      await catalogue.refresh();
      const before = catalogue.revision;
      const report = await catalogue.importPrices(body.list, importOptions(body), {
        dryRun: !applied,
        revision: body.revision ?? undefined,
        act: call.act,
      });
      return {
        format: report.format,
        applied,
        revision: applied ? catalogue.revision : before,
        ...foundView(report, translatorOf(call, catalogueInRussian)),
      };
    },
  });

function foundView({ outcomes, notListed }: ImportReport, say: Translate) {
  const rows = outcomes.filter(({ kind }) => kind !== 'skipped');
  return {
    rows: rows.map((row) => {
      const view = outcomeView(row);
      const { reason, note } = view;
      return { ...view, reason: reason && say(reason), note: note && say(note) };
    }),
    skipped: outcomes.length - rows.length,
    not_listed: notListed.map((model) => ({ ...notListedView(model), reason: say(model.reason) })),
  };
}

function importOptions(body: z.output<typeof importBody>): ImportOptions {
  return {
    usdRate: String(body.usd_rate),
    markup: String(body.markup ?? 0),
    providers: body.providers ?? [],
    map: Object.entries(body.map ?? {}).map(([code, name]) => `${code}=${name}`),
    add: body.add ?? [],
    allowFree: body.allow_free ?? false,
    longContext: body.long_context ?? 'both',
  };
}
