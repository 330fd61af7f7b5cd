import { lruCache } from '../../lib/lru-cache.ts';
import type { JsonRecord } from '../shared/wire.ts';
import type { Omissions } from '../shared/unsupported.ts';
import { ProviderError, type RequestField } from '../spec.ts';

/** The most refused values of hints that are remembered for a provider. */
const REFUSED_MAX = 512;

/** How servers name a hint that a model does not accept. */
const names = {
  reasoning_effort:
    /reasoning[_. ]?effort|does not support (?:thinking|reasoning)|reasoning value/i,
  reasoning_summary: /reasoning[_. ]?summar/i,
  thinking: /thinking/i,
  verbosity: /verbosity/i,
} as const;
type Hint = keyof typeof names;
const hints = Object.keys(names) as Hint[];

/**
 * Hints that a server has refused for a model. Agents send efforts and verbosity to every model, and no list says which
 * model accepts which value. A call that was refused for a hint is made again without it, once for each value.
 */
export class RefusedHints {
  readonly #refused = lruCache<string, string>(REFUSED_MAX);

  /** The fields without those that were refused; each is named in a warning. */
  withoutRefused<Fields extends Partial<Record<Hint, unknown>>>(
    model: string,
    fields: Fields,
    omissions: Omissions,
  ): Fields {
    if (this.#refused.size === 0) return fields;
    const kept = { ...fields };
    for (const hint of hints) {
      const value = fields[hint];
      if (value === undefined || !this.#refused.has(keyOf(model, hint, value))) continue;
      delete kept[hint];
      const why = `The provider refuses the ${hint} ${wordOf(value)} for this model.`;
      omissions.add(fieldOf(hint), why);
    }
    return kept;
  }

  /**
   * Learns from a failed call.
   * @param body the hints as they were sent, and the model
   * @returns true if a hint in it was refused, so that the call can be made again
   */
  learn(body: JsonRecord, error: unknown): boolean {
    if (!(error instanceof ProviderError) || error.accepted) return false;
    const message = error.reported?.message ?? '';
    const blamed = hints.find((hint) => body[hint] !== undefined && names[hint].test(message));
    if (blamed === undefined) return false;
    // Organisations that OpenAI has not verified get no summaries. The request is not at fault.
    if (!error.refusal && blamed !== 'reasoning_summary') return false;
    this.#refused.set(keyOf(String(body['model']), blamed, body[blamed]), blamed);
    return true;
  }
}

function fieldOf(hint: Hint): RequestField {
  if (hint === 'verbosity') return hint;
  return hint === 'reasoning_effort' ? 'reasoningEffort' : 'reasoningMode';
}

function keyOf(model: string, hint: Hint, value: unknown): string {
  return JSON.stringify([model, hint, value]);
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : ((value as { type?: string }).type ?? '');
}
