import type { Edges } from '../support/data.ts';
import { Growth, outDegree } from './generated.ts';

/** Shape of the power law of the communities' sizes. */
const SIZE_SHAPE = 1.2;
const LARGEST = 0.02;
/** Share of links that lead out of the community. */
const OUTWARD = 0.08;
/** Share of the others that lead to the community's menu, which its members share. */
const TO_MENU = 0.9;
const MENU = 40;
/** How far near members are, in the mean. */
const NEAR = 10;
/** Share of links to the menu that are answered. */
const ANSWERED = 0.11;

/**
 * A web of communities: their members link to a menu that all share, to near members, and sometimes to a popular site
 * of another community. The menu's sites link to each other.
 */
export function communitiesWeb(nodes: number, seed: number): Edges {
  const growth = new Growth(nodes, seed);
  const { random } = growth;
  for (let first = 0; first < nodes;) {
    const drawn = Math.ceil(3 * (1 - random.next()) ** (-1 / SIZE_SHAPE));
    const size = Math.min(drawn, Math.ceil(nodes * LARGEST), nodes - first);
    const menu = Math.min(size, 2 + random.below(MENU));
    for (let place = 0; place < size; place++) joinCommunity(growth, first, size, menu, place);
    first += size;
  }
  return growth.edges();
}

/** A site with few links has those to the first of the menu. */
function joinCommunity(
  growth: Growth,
  first: number,
  size: number,
  menu: number,
  place: number,
): void {
  const { random } = growth;
  const node = first + place;
  const degree = outDegree(random, growth.nodes / 100);
  let next = 0;
  for (let made = 0; made < degree; made++) {
    if (random.next() < OUTWARD) {
      growth.link(node, growth.popular());
    } else if (random.next() < TO_MENU && next < menu) {
      growth.link(node, first + next);
      if (random.next() < ANSWERED) growth.link(first + next, node);
      next += 1;
    } else {
      growth.link(node, first + ((place + growth.distance(NEAR)) % size));
    }
  }
}
