import { z } from 'zod';
import {
  catalogueInRussian,
  exampleFile,
  formatChange,
  type CatalogueChange,
} from '../../catalogue/index.ts';
import { translatorOf } from '../languages.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { Translate } from '../../lib/sentences.ts';
import { adminOperation } from '../operation.ts';
import { emptyBody, intOrNull, model, textOrNull } from '../schemas.ts';

/** What defined a provider or model: the program itself, an environment variable, or the catalogue file. */
export const origin = z.enum(['builtin', 'preset', 'file']);

const shown = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const changedFields = z.array(z.object({ field: z.string(), from: shown, to: shown }));

export const revision = z.int().describe('Grows with every change.');

export const givenRevision = z
  .int()
  .nullish()
  .describe(
    'Nothing is written unless the catalogue is in this revision, which a dry run returned.',
  );

export const catalogueChanges = z.array(
  z.object({
    kind: z.enum(['added', 'changed', 'retired', 'returned']),
    subject: z.string(),
    fields: changedFields,
    text: z.string().describe('The change in one line, in English.'),
  }),
);

/** For operations whose answers and errors contain sentences about catalogues. */
export const translatedCatalogue = { translated: true, inRussian: catalogueInRussian } as const;

export function changesView(changes: readonly CatalogueChange[], say: Translate) {
  return changes.map((change) => ({
    kind: change.kind,
    subject: say(change.subject),
    fields: fieldsView(change.fields ?? [], say),
    text: formatChange(change),
  }));
}

/** Changed fields as JSON. Instead of a secret they show words such as `(set)`, which are translated. */
export function fieldsView(fields: NonNullable<CatalogueChange['fields']>, say: Translate) {
  const shownIn = (value: (typeof fields)[number]['from']) =>
    typeof value === 'string' && value.startsWith('(') ? say(value) : value;
  return fields.map(({ field, from, to }) => ({ field, from: shownIn(from), to: shownIn(to) }));
}

const shownCost = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .nullable()
  .describe('Your cost, as in the catalogue file, with its exchange rate; null: not known.');

export const catalogueOperations = ({ catalogue }: OperationParts) => [
  adminOperation({
    path: '/admin/catalogue/',
    unlogged: true,
    summary: 'Show the catalogue in use',
    description: 'Without secrets: providers’ keys are shown as references, or as `(set)`.',
    body: emptyBody,
    result: z.object({
      revision,
      providers: z.array(
        z.object({
          code: z.string(),
          origin,
          kind: z.string(),
          base_url: textOrNull,
          api_key: textOrNull,
          api_keys: textOrNull.describe(
            'Several keys instead of one, each with `*` and its weight.',
          ),
          max_concurrent: intOrNull,
          max_requests_per_minute: intOrNull,
          timeout_seconds: z.number(),
          options: z.record(z.string(), z.string()).readonly(),
          headers: z
            .record(z.string(), z.string())
            .nullable()
            .describe('Each as its reference, or `(set)`.'),
          extra_body: z.record(z.string(), z.unknown()).readonly().nullable(),
        }),
      ),
      models: z.array(
        model.extend({
          origin,
          fallbacks: z.array(z.int()).readonly(),
          cost: shownCost,
        }),
      ),
    }),
    handle: async () => {
      await catalogue.refresh();
      return catalogue.show();
    },
  }),

  adminOperation({
    path: '/admin/catalogue/apply/',
    act: 'catalogue_applied',
    ...translatedCatalogue,
    summary: 'Apply a catalogue file',
    description:
      'Either all of it is applied or nothing; applying it again changes nothing. A price change is a new dated version. Models that the file does not name are retired. `${NAME}` may only be sent to a host that a preset, or a file applied on the server, sends it to.',
    body: z.object({
      yaml: z.string().describe('The text of the file.'),
      dry_run: z.boolean().nullish().describe('true: only report what would change.'),
      revision: givenRevision,
    }),
    example: { yaml: exampleFile, dry_run: true },
    result: z.object({
      dry_run: z.boolean(),
      revision,
      changes: catalogueChanges,
      warnings: z.array(z.string()),
    }),
    handle: async ({ yaml, dry_run: dry, revision: seen }, call) => {
      const say = translatorOf(call, catalogueInRussian);
      const dryRun = dry ?? false;
      const file = await catalogue.readSent(yaml);
      await catalogue.refresh();
      const before = catalogue.revision;
      const { act } = call;
      const changes = await catalogue.apply(file, { dryRun, revision: seen ?? undefined, act });
      return {
        dry_run: dryRun,
        revision: dryRun ? before : catalogue.revision,
        changes: changesView(changes, say),
        warnings: [...file.warnings, ...catalogue.unsetIn(file).map(unsetWarning)].map(say),
      };
    },
  }),
];

function unsetWarning(name: string): string {
  return `${name} is not set in this server's environment: set it, since the providers that refer to it can't be called, and the server can't start without it`;
}
