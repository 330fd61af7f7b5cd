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
  /** True if the server may use all cores. */
  isFree?: boolean;
  /** The command under which the server runs, e.g. `nice`. */
  under?: readonly string[];
  /** The command that starts it; usually the one that `npm start` calls. */
  launcher?: readonly string[];
  /** Settings in addition to the usual ones. */
  env?: Readonly<Record<string, string>>;
}
