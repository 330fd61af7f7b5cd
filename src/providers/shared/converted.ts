/** What an answer repeats of its request. */
export interface Sent {
  /** The seed that was sent; null if there was none. */
  seed: number | null;
  /** Settings that were left out, one sentence each. */
  warnings: string[];
}

/** A request converted to the wire format of a dialect. */
export interface Converted<Body> extends Sent {
  body: Body;
}
