import { DomainError, invalidField } from '../../lib/errors.ts';
import { reconcileByDay } from './by-day.ts';
import { reconcileById } from './by-id.ts';
import { ExportReader } from './export-reader.ts';
import type { ReconcileOptions, ReconcileParts, Reconciliation } from './report.ts';

/**
 * Compares a provider's usage export with our messages: single answers by the provider's id if the export has it, else
 * sums by day and model. It only reads, so a server may be running; memory use does not depend on the number of rows.
 * @param pieces the text of the file, CSV with a header line
 * @throws `invalid_request` for an unreadable file or a wrong option
 */
export async function reconcile(
  parts: ReconcileParts,
  pieces: AsyncIterable<string>,
  ask: ReconcileOptions,
): Promise<Reconciliation> {
  const codes = new Set(parts.catalogue.everyModel().map(({ provider }) => provider));
  for (const code of ask.providers) {
    if (!codes.has(code))
      throw invalidField('providers', `${code} is not a provider of the catalogue`);
  }
  const reader = await ExportReader.open(pieces, ask.columns);
  const { columns } = reader;
  const has = (field: keyof typeof columns) => columns[field].length > 0;
  const hasTokens = has('prompt_tokens') || has('completion_tokens');
  if (hasTokens && has('id')) return reconcileById(parts, reader, ask);
  if (hasTokens && has('date') && has('model')) return reconcileByDay(parts, reader, ask);
  throw new DomainError(
    'invalid_request',
    `the file needs columns of tokens with an id, or with a date and a model; it has ${reader.header.join(', ')}: assign them (over HTTP with the field columns), e.g. --columns "date=Day,model=Model,prompt_tokens=In,completion_tokens=Out"`,
  );
}
