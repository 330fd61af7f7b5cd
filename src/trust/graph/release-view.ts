import type { ReleaseSummary } from './graph-store.ts';

/** A release in the lists of the command line and the HTTP interface. */
export interface ReleaseView {
  name: string;
  domains: number;
  links: number;
  /** ISO 8601, UTC. */
  created: string;
  /** Whether it has scores. */
  ranked: boolean;
  /** Whether checks are answered from it. */
  current: boolean;
}

export function releaseView({ manifest, current }: ReleaseSummary): ReleaseView {
  const { name, nodes, edges, created, ranking } = manifest;
  return { name, domains: nodes, links: edges, created, ranked: ranking !== null, current };
}
