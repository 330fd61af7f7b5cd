import { DomainError, invalidField, type ErrorDetail } from '../lib/errors.ts';
import { readPrice } from './file-prices.ts';
import type { RawPrice } from './file-schema.ts';
import { inUse, planChanges } from './plan.ts';
import type { Planned, Stored } from './store.ts';

/**
 * Plans a new price for one model; everything else stays. Pure.
 * @param raw the whole price in the fields of a catalogue file; null: no price, so that the model is for admins only
 * @throws `invalid_request` naming the field; `model_not_found`
 */
export function planPrice(
  { catalogue, lastId }: Stored,
  modelId: number,
  raw: RawPrice | null,
): Planned {
  const live = inUse(catalogue);
  const model = live.models.find(({ id }) => id === modelId);
  if (!model) throw new DomainError('model_not_found', `no model has the id ${modelId}`);
  if (model.origin === 'builtin') {
    throw invalidField('id', 'the models of Zastava itself keep their prices');
  }
  const details: ErrorDetail[] = [];
  const price =
    raw && readPrice(raw, (field, message) => details.push({ path: `price.${field}`, message }));
  if (details.length > 0) {
    const [first] = details;
    const message = `the price was refused: ${first?.path ?? ''} ${first?.message ?? ''}`;
    throw new DomainError('invalid_request', message, { details });
  }
  const models = live.models.map((one) =>
    one === model ? { ...one, facts: { ...one.facts, price } } : one,
  );
  const wanted = { sandbox: catalogue.sandbox, providers: live.providers, models };
  return { plan: planChanges(catalogue, wanted), lastId };
}
