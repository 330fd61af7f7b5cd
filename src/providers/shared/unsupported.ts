import { UnsupportedError, type RequestField } from '../spec.ts';

/**
 * What clients send by themselves, since it is the default of their API, and what happens anyway where a
 * provider knows no such setting.
 */
const neutral: Partial<Record<RequestField, unknown>> = {
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
};

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

  /** Leaves the field out if it is there and asks for something. */
  addIf(value: unknown, field: RequestField, why: string): void {
    if (value !== undefined && value !== neutral[field]) this.add(field, why);
  }
}
