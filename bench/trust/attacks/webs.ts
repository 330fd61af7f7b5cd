import { loadCnr, type Edges } from '../support/data.ts';
import { copyingWeb } from './copying.ts';
import { fromUpperTenth, prepareWeb, type Web } from './web.ts';

const generators: Record<string, (nodes: number) => Edges> = {
  copying: (nodes) => copyingWeb(nodes, 1),
};

export const webNames = ['cnr', ...Object.keys(generators)];

/** A web by name; undefined, with a word, if its data is not there. */
export async function webOf(name: string, nodes: number): Promise<Web | undefined> {
  const edges = name === 'cnr' ? await loadCnr() : generators[name]?.(nodes);
  return edges && prepareWeb(name, edges, fromUpperTenth);
}
