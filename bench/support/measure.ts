import type { AllPeers } from '../peers/all.ts';
import type { Report } from './report.ts';

export interface MeasureOptions {
  /** The large size, for those that have one. */
  full: boolean;
  /** Further gateways to compare with, if they are wanted. */
  peers: AllPeers | undefined;
  /** Tells a person what goes on. */
  progress: (line: string) => void;
}

/** One row of measures: a file of its own, listed in run.ts. */
export interface Measure {
  /** As typed, e.g. `s1` */
  name: string;
  run(options: MeasureOptions): Promise<Report>;
}
