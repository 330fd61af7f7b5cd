import { loadCnr, type Edges } from '../support/data.ts';
import { shuffled } from '../support/statistics.ts';
import type { Random } from '../random.ts';
import { communitiesWeb } from './communities.ts';
import { copyingWeb } from './copying.ts';
import { fireWeb } from './fire.ts';
import { prepareWeb, SITES_MIN, type Web } from './web.ts';

type Institutions = (byRank: readonly number[], random: Random) => number[];

/** A random share of the upper part of the nodes by PageRank. */
const someOf =
  (share: number, upper: number): Institutions =>
  (byRank, random) =>
    shuffled(byRank.slice(0, byRank.length * upper), random).slice(
      0,
      Math.max(SITES_MIN, byRank.length * share),
    );

/** Each with its own institutions: few that many link to, or more of which some are hardly known. */
const webs: Record<
  string,
  { edges: (nodes: number) => Edges | Promise<Edges | undefined>; institutions: Institutions }
> = {
  cnr: { edges: loadCnr, institutions: someOf(0.001, 0.1) },
  copying: { edges: (nodes) => copyingWeb(nodes, 1), institutions: someOf(0.001, 0.1) },
  communities: { edges: (nodes) => communitiesWeb(nodes, 2), institutions: someOf(0.003, 1) },
  fire: { edges: (nodes) => fireWeb(nodes, 3), institutions: someOf(0.01, 0.5) },
};

export const webNames = Object.keys(webs);

/** A web by name, with about as many nodes where it is generated; undefined, with a word, if its data is not there. */
export async function webOf(name: string, nodes: number): Promise<Web | undefined> {
  const plan = webs[name];
  if (!plan) throw new Error(`no such web: ${name}; there are ${webNames.join(', ')}`);
  const edges = await plan.edges(nodes);
  return edges && prepareWeb(name, edges, plan.institutions);
}
