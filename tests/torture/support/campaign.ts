/** A promise as a campaign of any size, repeatable by its seed. */
import type { Dialect } from '../../../src/db/index.ts';

/** Its sizes, by names that are options of the command line: `--kills 5`. */
export type Sizes = Readonly<Record<string, number>>;

export interface Run<S extends Sizes = Sizes> {
  dialect: Dialect;
  /** Decides all random choices of the campaign; timing of the machine stays random. */
  seed: number;
  sizes: S;
  /** False if other work shares the machine: then durations and the sizes of processes are not judged. */
  judgeTime: boolean;
}

export interface Report {
  /** The counts and measurements. */
  figures: Record<string, unknown>;
  /** Violations of the promise, a line each; empty if it held. */
  broken: string[];
  /** Why this machine cannot run it, or not all of it. */
  notPossible?: string;
}

interface CampaignOf<S extends Sizes> {
  /** `npm run torture -- NAME` */
  name: string;
  /** The number of the promise in docs/promises.md. */
  promise: `R${number}`;
  title: string;
  full: S;
  /** The size that runs with the other tests; undefined if tests elsewhere are its small size. */
  small: S | undefined;
  /** The dialects that make sense; both by default. */
  dialects?: readonly Dialect[];
  /** Where the small size runs, if one database is enough. */
  smallDialects?: readonly Dialect[];
  run: (run: Run<S>) => Promise<Report>;
}

export type Campaign = CampaignOf<Sizes>;

/** Only `run` knows the names of its sizes. */
export function campaign<S extends Sizes>(of: CampaignOf<S>): Campaign {
  return of as unknown as Campaign;
}

/** How many of the wanted nodes are possible: a SQLite database has one. */
export function nodesOn(dialect: Dialect, nodes: number): number {
  return dialect === 'sqlite' ? 1 : nodes;
}

/** This many lines of a kind are enough. */
const LINES_MAX = 5;

/** Findings by kind as lines of a report. */
export function linesOf(findings: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(findings).flatMap(([kind, all]) => {
    const shown = all.slice(0, LINES_MAX).map((one) => `${kind}: ${one}`);
    const more = all.length - shown.length;
    return more > 0 ? [...shown, `${kind}: and ${more} more`] : shown;
  });
}

/** A line if something is not as it must be. */
export function unless(holds: boolean, line: string): string[] {
  return holds ? [] : [line];
}
