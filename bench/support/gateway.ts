import type { Target } from './target.ts';

/** A gateway that runs on the core under test. */
export interface Gateway {
  target: Target;
  stop: () => Promise<void>;
}

export interface GatewayPlace {
  mockUrl: string;
  /** For its files; removed at the end. */
  directory: string;
  /** True where the server may use all cores. */
  isFree?: boolean;
  /** What the server is run under, e.g. `nice`. */
  under?: readonly string[];
  /** What starts it; usually what `npm start` calls. */
  launcher?: readonly string[];
  /** Settings on top of the usual ones. */
  env?: Readonly<Record<string, string>>;
}
