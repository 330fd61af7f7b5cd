import { z } from 'zod';
import {
  catalogueInRussian,
  exampleFile,
  priceSchema,
  versionView,
} from '../../catalogue/index.ts';
import { translatorOf } from '../languages.ts';
import type { OperationParts } from '../operation-parts.ts';
import { adminOperation, operatorOperation } from '../operation.ts';
import { emptyBody, model, pageLimit, unixSeconds } from '../schemas.ts';
import {
  catalogueChanges,
  changedFields,
  changesView,
  givenRevision,
  origin,
  revision,
  translatedCatalogue,
} from './catalogue.ts';

const modelId = z.int().describe('The id of a model.');

const version = z.object({
  version: z.int(),
  valid_from: unixSeconds,
  model,
  fields: changedFields.describe('The changes that it made; empty for the first.'),
});

export const cataloguePriceOperations = ({ catalogue }: OperationParts) => [
  adminOperation({
    path: '/admin/catalogue/price/',
    act: 'price_set',
    ...translatedCatalogue,
    summary: 'Set the price of one model',
    description:
      'A price change is a new dated version. The next catalogue file that is applied sets its own price again.',
    body: z.object({
      id: modelId,
      price: priceSchema
        .nullable()
        .describe('The whole price, as in a catalogue file; null: none, so for admins only.'),
      dry_run: z.boolean().nullish().describe('true: only report what would change.'),
      revision: givenRevision,
    }),
    example: { id: 101, price: { cost_input_tokens_rub: 25, cost_output_tokens_rub: 200 } },
    result: z.object({ dry_run: z.boolean(), revision, changes: catalogueChanges }),
    errors: ['model_not_found'],
    handle: async ({ id, price, dry_run: dry, revision: seen }, call) => {
      const { act } = call;
      const dryRun = dry ?? false;
      await catalogue.refresh();
      const before = catalogue.revision;
      const options = { dryRun, revision: seen ?? undefined, act };
      const changes = await catalogue.setPrice(id, price, options);
      return {
        dry_run: dryRun,
        revision: dryRun ? before : catalogue.revision,
        changes: changesView(changes, translatorOf(call, catalogueInRussian)),
      };
    },
  }),

  adminOperation({
    path: '/admin/catalogue/yaml/',
    unlogged: true,
    summary: 'Show the catalogue file in effect',
    description:
      'The providers and models of the operator’s file, imported prices included; applied again, it changes nothing. Keys stand as references, or as `(set)`, which keeps the stored key while kind, address and options of the provider stay.',
    body: emptyBody,
    result: z.object({
      revision,
      yaml: z.string(),
      example: z.string().describe('An example of a file, for a start.'),
    }),
    handle: async () => {
      await catalogue.refresh();
      return { revision: catalogue.revision, yaml: catalogue.text(), example: exampleFile };
    },
  }),

  operatorOperation({
    path: '/admin/catalogue/versions/',
    unlogged: true,
    summary: 'List the versions of a model',
    description:
      'Newest first, also of a retired model. Messages keep the version that was in effect when they were sent. A refund to the right price names one.',
    body: z.object({
      id: modelId,
      limit: pageLimit,
      before: z.int().nullish().describe('Only versions with a smaller `version`.'),
    }),
    example: { id: 1 },
    result: z.object({
      origin: origin
        .nullable()
        .describe(
          '`builtin`: Zastava’s own, whose price can’t be set; null: no model has this id.',
        ),
      versions: z.array(version),
    }),
    handle: async ({ id, limit, before }) => {
      await catalogue.refresh();
      const versions = await catalogue.versionsOf(id, limit, before ?? undefined);
      return { origin: catalogue.originOf(id) ?? null, versions: versions.map(versionView) };
    },
  }),
];
