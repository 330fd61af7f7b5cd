import { z } from 'zod';
import { formatChange } from '../../catalogue/index.ts';
import type { OperationParts } from '../operation-parts.ts';
import { adminOperation } from '../operation.ts';
import { emptyBody, intOrNull, model, textOrNull } from '../schemas.ts';

const origin = z.enum(['builtin', 'preset', 'file']);

const shown = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The fields that a change of the catalogue changes. */
export const changedFields = z.array(z.object({ field: z.string(), from: shown, to: shown }));

export const catalogueOperations = ({ catalogue }: OperationParts) => [
  adminOperation({
    path: '/admin/catalogue/',
    unlogged: true,
    summary: 'Show the catalogue in use',
    description: 'Without secrets: providers’ keys are shown as references, or as `(set)`.',
    body: emptyBody,
    result: z.object({
      revision: z.int().describe('Grows with every change.'),
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
      models: z.array(model.extend({ origin, fallbacks: z.array(z.int()).readonly() })),
    }),
    handle: async () => {
      await catalogue.refresh();
      return catalogue.show();
    },
  }),

  adminOperation({
    path: '/admin/catalogue/apply/',
    summary: 'Apply a catalogue file',
    description:
      'Either all of it is applied or nothing; applying it again changes nothing. A price change is a new dated version. Models that the file does not name are retired. `${NAME}` may only be sent to a host that a preset, or a file applied on the server, sends it to.',
    body: z.object({
      yaml: z.string().describe('The text of the file.'),
      dry_run: z.boolean().nullish().describe('true: only report what would change.'),
    }),
    example: { yaml: 'models: []', dry_run: true },
    result: z.object({
      dry_run: z.boolean(),
      changes: z.array(
        z.object({
          kind: z.enum(['added', 'changed', 'retired', 'returned']),
          subject: z.string(),
          fields: changedFields,
          text: z.string().describe('The change in one line.'),
        }),
      ),
      warnings: z.array(z.string()),
    }),
    handle: async ({ yaml, dry_run: dryRun }) => {
      const file = await catalogue.readSent(yaml);
      const changes = await catalogue.apply(file, { dryRun: dryRun ?? false });
      return {
        dry_run: dryRun ?? false,
        changes: changes.map((change) => ({
          kind: change.kind,
          subject: change.subject,
          fields: change.fields ?? [],
          text: formatChange(change),
        })),
        warnings: [...file.warnings, ...catalogue.unsetIn(file).map(unsetWarning)],
      };
    },
  }),
];

function unsetWarning(name: string): string {
  return `${name} is not set in this server's environment: set it, since the providers that refer to it can't be called, and the server can't start without it`;
}
