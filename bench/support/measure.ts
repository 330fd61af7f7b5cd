import type { AllPeers } from '../peers/all.ts';
import type { Report } from './report.ts';

export interface MeasureOptions {
  /** Whether to use the large size, for measures that have one. */
  full: boolean;
  /** Further gateways to compare with, if requested. */
  peers: AllPeers | undefined;
  /** Shows a person what is happening. */
  progress: (line: string) => void;
}

/** One series of measurements: a separate file, listed in run.ts. */
export interface Measure {
  /** As typed, e.g. `s1` */
  name: string;
  run(options: MeasureOptions): Promise<Report>;
}
