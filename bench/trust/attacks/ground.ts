import { Random } from '../random.ts';
import type { Place, Web } from './web.ts';

/** What an attack costs. */
export interface Cost {
  /** Registered domains. */
  domains: number;
  /** Pages that they serve: one each, and one more for each hundred links. */
  pages: number;
  /** Links from sites of others: paid for, listed, or placed by a break-in. */
  bought: number;
}

/** What an attack adds to a web. Nodes from the web's number of nodes on are its own. */
export interface Planted {
  cost: Cost;
  nodes: number;
  from: number[];
  to: number[];
  /** Honest sites whose links are replaced, since their domains expired and were registered anew. */
  expired: Set<number>;
  /** Honest sites that take any part: attacks that share one can't share a ranking. */
  touched: Set<number>;
  /** Registered domains, of which the attacker shows the one that does best. */
  own: number[];
  /** Sites that the attack would harm. */
  victims: number[];
  /** Domains that get onto the operator's lists. */
  listed: { trusted: number[]; spam: number[] };
}

const LINKS_A_PAGE = 100;

/** Where an attack is made: it keeps the books of what is registered, linked and bought. */
export class Ground {
  readonly random: Random;
  readonly #web: Web;
  readonly #links = new Map<number, number>();
  readonly #planted: Planted = {
    cost: { domains: 0, pages: 0, bought: 0 },
    nodes: 0,
    from: [],
    to: [],
    expired: new Set(),
    touched: new Set(),
    own: [],
    victims: [],
    listed: { trusted: [], spam: [] },
  };

  /** @param seed decides which honest sites take part, whatever else is planted */
  constructor(web: Web, seed: number) {
    this.#web = web;
    this.random = new Random(seed);
  }

  /** Registers domains. @returns their nodes */
  register(count: number): number[] {
    const first = this.invent(count);
    const nodes = Array.from({ length: count }, (_, index) => first + index);
    for (const node of nodes) this.#planted.own.push(node);
    return nodes;
  }

  /** Makes names up, which cost nothing: an import counts whatever is linked. @returns the first node */
  invent(count: number): number {
    const first = this.#web.edges.nodes + this.#planted.nodes;
    this.#planted.nodes += count;
    return first;
  }

  /** A link from a site that the attacker owns. */
  link(from: number, to: number): void {
    this.#links.set(from, (this.#links.get(from) ?? 0) + 1);
    this.#edge(from, to);
  }

  /** A link from an honest site of some place, a different one each time. */
  buy(place: Place, to: number): void {
    this.#planted.cost.bought += 1;
    this.#edge(this.#take(this.#web.sellers[place], place), to);
  }

  /** Registers an honest domain that expired: its donors stay, its links go. */
  takeOver(from: 'small' | 'known'): number {
    const node = this.#take(this.#web[from], from);
    this.#planted.expired.add(node);
    this.#planted.own.push(node);
    return node;
  }

  victim(from: 'small' | 'known'): number {
    const node = this.#take(this.#web[from], from);
    this.#planted.victims.push(node);
    return node;
  }

  /** An honest site of some place that takes no money: to link to, or to put on a list. */
  honest(place: Place): number {
    return this.#take(this.#web.sellers[place], place);
  }

  list(as: 'trusted' | 'spam', node: number): void {
    this.#planted.listed[as].push(node);
  }

  finish(): Planted {
    const { cost, own } = this.#planted;
    cost.domains = own.length;
    for (const node of own) {
      cost.pages += Math.max(1, Math.ceil((this.#links.get(node) ?? 0) / LINKS_A_PAGE));
    }
    return this.#planted;
  }

  #edge(from: number, to: number): void {
    this.#planted.from.push(from);
    this.#planted.to.push(to);
  }

  #take(nodes: readonly number[], what: string): number {
    const { touched } = this.#planted;
    for (let tries = 0; tries < 1000; tries++) {
      const node = nodes[this.random.below(nodes.length)];
      if (node === undefined || touched.has(node)) continue;
      touched.add(node);
      return node;
    }
    throw new Error(`${this.#web.name} has too few sites for an attack: ${what}`);
  }
}
