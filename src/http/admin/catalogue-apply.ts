import { z } from 'zod';
import { formatChange, type Catalogue } from '../../catalogue/index.ts';
import { adminOperation } from '../operation.ts';

const shown = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The fields that a change of the catalogue changes. */
export const changedFields = z.array(z.object({ field: z.string(), from: shown, to: shown }));

export const catalogueApplyOperation = (catalogue: Catalogue) =>
  adminOperation({
    path: '/admin/catalogue/apply/',
    summary: 'Apply a catalogue file',
    description:
      'Either all of it is applied or nothing; applying it again changes nothing. A price change is a new dated version. Models that the file does not name are retired.',
    body: z.object({
      yaml: z.string().meta({ description: 'The text of the file.' }),
      dry_run: z.boolean().nullish().meta({ description: 'true: only report what would change.' }),
    }),
    example: { yaml: 'models: []', dry_run: true },
    result: z.object({
      dry_run: z.boolean(),
      changes: z.array(
        z.object({
          kind: z.enum(['added', 'changed', 'retired', 'returned']),
          subject: z.string(),
          fields: changedFields,
          text: z.string().meta({ description: 'The change in one line.' }),
        }),
      ),
      warnings: z.array(z.string()),
    }),
    handle: async ({ yaml, dry_run: dryRun }) => {
      const changes = await catalogue.apply(yaml, { dryRun: dryRun ?? false });
      return {
        dry_run: dryRun ?? false,
        changes: changes.map((change) => ({
          kind: change.kind,
          subject: change.subject,
          fields: change.fields ?? [],
          text: formatChange(change),
        })),
        warnings: (dryRun ? catalogue.unsetIn(yaml) : catalogue.unresolved()).map(unsetWarning),
      };
    },
  });

function unsetWarning(name: string): string {
  return `${name} is not set in this server's environment: set it, since the providers that refer to it can't be called, and the server can't start without it`;
}
