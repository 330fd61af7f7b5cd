import { UnsupportedError, type RequestField, type TextRequest } from '../spec.ts';

/**
 * What clients send by themselves, since it is the default of their API, and what happens anyway where a
 * provider knows no such setting.
 */
const neutral: Partial<Record<RequestField, unknown>> = {
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
};

/**
 * A setting as it is sent to a provider whose API means by leaving it out what this value says: then it is not
 * sent, since models that know no such setting refuse it whatever its value.
 */
export function unlessNeutral<Value>(value: Value, field: RequestField): Value | undefined {
  return value === neutral[field] ? undefined : value;
}

/** What of one request is left out because the provider can't take it, one sentence each. */
export class LeftOut {
  readonly warnings: string[] = [];
  readonly #refuse: boolean;

  constructor(request: { refuseUnsupported?: boolean | undefined }) {
    this.#refuse = request.refuseUnsupported ?? false;
  }

  /**
   * @param why one sentence, e.g. "This provider takes no seed."
   * @throws UnsupportedError when the caller wants that refused
   */
  add(field: RequestField, why: string): void {
    if (this.#refuse) throw new UnsupportedError(field, why);
    this.warnings.push(`${why} It was left out.`);
  }

  /** Leaves out both penalties for repetition, where a provider knows none. */
  addPenalties(request: Pick<TextRequest, 'frequencyPenalty' | 'presencePenalty'>): void {
    const { frequencyPenalty, presencePenalty } = request;
    this.addIf(frequencyPenalty, 'frequencyPenalty', 'This provider takes no frequency penalty.');
    this.addIf(presencePenalty, 'presencePenalty', 'This provider takes no presence penalty.');
  }

  /**
   * @param isTaken whether a provider takes such a seed
   * @param kind what it takes, e.g. "whole numbers"
   * @returns the seed, or null when there is none or it is left out
   */
  seed(seed: number | undefined, isTaken: (seed: number) => boolean, kind: string): number | null {
    if (seed === undefined || isTaken(seed)) return seed ?? null;
    const why = `The seed ${seed} is not supported by this provider, which takes ${kind} only.`;
    this.add('seed', why);
    return null;
  }

  /** Leaves the field out if it is there and asks for something. */
  addIf(value: unknown, field: RequestField, why: string): void {
    if (value !== undefined && value !== neutral[field]) this.add(field, why);
  }
}
