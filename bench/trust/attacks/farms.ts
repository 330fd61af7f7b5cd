import type { Ground } from './ground.ts';

/**
 * How registered domains are linked with each other. The first is the one to push. `star`: all others link to it.
 * `exchange`: and it links back. `web`: a star, each of whose domains links to ten others. `ring`: each links to the
 * next and to the one before. `tiers`: the others link to √n domains, which link to the first.
 */
export const farmShapes = ['star', 'exchange', 'web', 'ring', 'tiers'] as const;
export type FarmShape = (typeof farmShapes)[number];

const LINKS_WITHIN = 10;

/** Links domains that the attacker owns. */
export function linkFarm(ground: Ground, shape: FarmShape, nodes: readonly number[]): void {
  const [first = 0, ...others] = nodes;
  const at = (index: number): number => nodes[index % nodes.length] ?? first;
  if (shape === 'ring') {
    nodes.forEach((node, index) => {
      ground.link(node, at(index + 1));
      ground.link(node, at(index + nodes.length - 1));
    });
    return;
  }
  const tier = others.slice(0, Math.round(Math.sqrt(others.length)));
  others.forEach((node, index) => {
    if (shape === 'tiers' && index >= tier.length) {
      ground.link(node, tier[index % tier.length] ?? first);
      return;
    }
    ground.link(node, first);
    if (shape === 'exchange') ground.link(first, node);
    if (shape !== 'web') return;
    for (let step = 1; step <= LINKS_WITHIN; step++) {
      ground.link(node, others[(index + step) % others.length] ?? first);
    }
  });
}
