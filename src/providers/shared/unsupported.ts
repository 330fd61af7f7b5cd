import { UnsupportedError, type RequestField, type TextRequest } from '../spec.ts';

/** Default values, which some clients always send. A provider without the setting behaves this way anyway. */
const defaults: Partial<Record<RequestField, unknown>> = {
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
};

/** The value to send: undefined for a default, because models without the setting refuse any value. */
export function unlessNeutral<Value>(value: Value, field: RequestField): Value | undefined {
  return value === defaults[field] ? undefined : value;
}

/** Collects the settings of one request that are left out because the provider does not support them. */
export class Omissions {
  /** One sentence for each. */
  readonly warnings: string[] = [];
  readonly #refuse: boolean;

  constructor(request: { refuseUnsupported?: boolean | undefined }) {
    this.#refuse = request.refuseUnsupported ?? false;
  }

  /**
   * @param why one sentence, e.g. "This provider does not support seeds."
   * @throws UnsupportedError if the caller wants unsupported settings refused
   */
  add(field: RequestField, why: string): void {
    if (this.#refuse) throw new UnsupportedError(field, why);
    this.warnings.push(`${why} It was left out.`);
  }

  /** Leaves the field out if it has a value other than the default. */
  addIf(value: unknown, field: RequestField, why: string): void {
    if (value !== undefined && value !== defaults[field]) this.add(field, why);
  }

  /** Leaves out both penalties. */
  addPenalties(request: Pick<TextRequest, 'frequencyPenalty' | 'presencePenalty'>): void {
    const { frequencyPenalty: frequency, presencePenalty: presence } = request;
    this.addIf(
      frequency,
      'frequencyPenalty',
      'This provider does not support frequency penalties.',
    );
    this.addIf(presence, 'presencePenalty', 'This provider does not support presence penalties.');
  }

  /**
   * @param isSupported whether the provider accepts this seed
   * @param kind the seeds that it accepts, e.g. "whole numbers"
   * @returns the seed to send; null if there is none or it is left out
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
