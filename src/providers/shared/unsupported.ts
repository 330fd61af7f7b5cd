import { UnsupportedError, type RequestField } from '../spec.ts';

/** Facts about the request that its answer repeats. */
export interface Sent {
  /** The seed that was sent; null if there was none. */
  seed: number | null;
  /** Settings that were left out, one sentence each. */
  warnings: string[];
}

/** A request converted to the wire format of a dialect. JSON leaves out undefined fields of the body. */
export interface Converted<Body> extends Sent {
  body: Body;
}

/** Default values, which some clients always send. A provider without the setting behaves this way anyway. */
const defaults: Partial<Record<RequestField, unknown>> = {
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
  parallelToolCalls: true,
  verbosity: 'medium',
};

/** Fields that do not make an answer worse when left out; many clients send them to every model. */
const hints: ReadonlySet<RequestField> = new Set([
  'reasoningEffort',
  'reasoningMode',
  'verbosity',
  // LlamaIndex sends `parallel_tool_calls: false` with every tool, although it accepts several calls.
  'parallelToolCalls',
]);

/** Messages about settings that several providers do not support. */
const limits = {
  seed: 'does not support seeds',
  topP: 'does not support top_p',
  stop: 'does not support stop sequences',
  frequencyPenalty: 'does not support frequency penalties',
  presencePenalty: 'does not support presence penalties',
  parallelToolCalls: 'cannot limit a model to one tool call',
  reasoningEffort: 'does not support reasoning efforts',
  verbosity: 'does not support verbosity',
  size: 'does not support sizes',
  quality: 'does not support quality levels',
  dimensions: 'does not support dimensions',
} as const satisfies Partial<Record<RequestField, string>>;

/** The value to send; undefined for a default, because models without the setting refuse any value. */
export function unlessNeutral<Value>(value: Value, field: RequestField): Value | undefined {
  return value === defaults[field] ? undefined : value;
}

type Settings = Partial<Record<RequestField | 'refuseUnsupported', unknown>>;

/** Collects the settings of one request that are left out because the provider does not support them. */
export class Omissions {
  /** One sentence for each. */
  readonly warnings: string[] = [];
  readonly #request: Settings;

  constructor(request: Settings) {
    this.#request = request;
  }

  /**
   * @param why one sentence, e.g. "This provider does not support seeds."
   * @throws UnsupportedError if the caller wants unsupported settings refused, and this one is not a hint
   */
  add(field: RequestField, why: string): void {
    if (this.#request.refuseUnsupported && !hints.has(field)) {
      throw new UnsupportedError(field, why);
    }
    this.warnings.push(`${why} It was left out.`);
  }

  /** For a hint that is replaced by another value. @param why one sentence */
  replace(why: string, used: string): void {
    this.warnings.push(`${why} The call used ${used}.`);
  }

  /** Leaves the field out if it has a value other than the default. */
  addIf(value: unknown, field: RequestField, why: string): void {
    const isUnset = value === undefined || (Array.isArray(value) && value.length === 0);
    if (!isUnset && value !== defaults[field]) this.add(field, why);
  }

  /** Leaves out these fields of the request if they have values other than the defaults. */
  addAll(...fields: readonly (keyof typeof limits)[]): void {
    for (const field of fields) {
      this.addIf(this.#request[field], field, `This provider ${limits[field]}.`);
    }
  }

  /**
   * @param isSupported whether the provider accepts this seed
   * @param kind the seeds that it accepts, e.g. "whole numbers"
   * @returns the seed to send; null if the request has no seed, or the provider does not support it
   */
  seed(
    seed: number | undefined,
    isSupported: (seed: number) => boolean,
    kind: string,
  ): number | null {
    if (seed === undefined || isSupported(seed)) return seed ?? null;
    this.add('seed', `The seed ${seed} is not supported: this provider only supports ${kind}.`);
    return null;
  }
}
