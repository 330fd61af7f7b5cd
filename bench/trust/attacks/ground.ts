import { Random } from '../random.ts';
import type { Place, Web } from './web.ts';

/** What an attack costs. */
export interface Cost {
  /** Registered domains, and those of them that expired and keep their donors. */
  domains: number;
  expired: number;
  /** Registered domains whose ending makes them institutions. */
  named: number;
  /** Pages that they serve: one each, and one more for each hundred links. */
  pages: number;
  /** Links from sites of others: paid for, listed, or placed by a break-in. */
  bought: number;
  /** Entries on the operator's lists. */
  listed: number;
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
  /** Registered domains. */
  own: number[];
  /** The attacker's domains that nobody knew before: the attacker shows the best of them. */
  shown: number[];
  /** Sites that the attack would harm. */
  victims: number[];
  /** Domains that get onto the operator's lists. */
  listed: { trusted: number[]; spam: number[] };
  /** Domains under an ending that counts as an institution's, and that was for sale. */
  institutions: number[];
}

const LINKS_A_PAGE = 100;

/** The place where an attack is built: it records what is registered, linked and bought. */
export class Ground {
  readonly random: Random;
  readonly #web: Web;
  readonly #links = new Map<number, number>();
  readonly #planted: Planted = {
    cost: { domains: 0, expired: 0, named: 0, pages: 0, bought: 0, listed: 0 },
    nodes: 0,
    from: [],
    to: [],
    expired: new Set(),
    touched: new Set(),
    own: [],
    shown: [],
    victims: [],
    listed: { trusted: [], spam: [] },
    institutions: [],
  };

  /** @param seed decides which honest sites take part, whatever else is planted */
  constructor(web: Web, seed: number) {
    this.#web = web;
    this.random = new Random(seed);
  }

  /** Registers domains that nobody knows. @returns their nodes */
  register(count: number): number[] {
    const nodes = this.#registerApart(count);
    for (const node of nodes) this.#planted.shown.push(node);
    return nodes;
  }

  /** Registers domains that get onto the operator's list, and so are known. */
  registerListed(count: number, as: 'trusted' | 'spam'): number[] {
    const nodes = this.#registerApart(count);
    for (const node of nodes) this.#planted.listed[as].push(node);
    return nodes;
  }

  /** Registers domains whose ending makes them institutions. */
  registerInstitutions(count: number): number[] {
    const nodes = this.register(count);
    for (const node of nodes) this.#planted.institutions.push(node);
    return nodes;
  }

  /**
   * Registers an honest domain that expired: its donors stay, its links go. Most known sites are green as long as their
   * donors stay, so only what they lend to others is judged.
   */
  takeOver(from: 'small' | 'known'): number {
    const node = this.#take(this.#web[from], from);
    this.#planted.expired.add(node);
    this.#planted.own.push(node);
    if (from === 'small') this.#planted.shown.push(node);
    return node;
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

  /** A link to one of the greatest sites, to look like an honest one. It does nothing to that site. */
  linkToTop(from: number): void {
    const { top } = this.#web.sellers;
    this.link(from, top[this.random.below(top.length)] ?? 0);
  }

  /** A link from an honest site of some place, a different one each time. @returns the site */
  buy(place: Place, to: number): number {
    this.#planted.cost.bought += 1;
    const seller = this.#take(this.#web.sellers[place], place);
    this.#edge(seller, to);
    return seller;
  }

  victim(from: 'small' | 'known'): number {
    const node = this.#take(this.#web[from], from);
    this.#planted.victims.push(node);
    return node;
  }

  finish(): Planted {
    const { cost, own, expired, listed, institutions } = this.#planted;
    cost.expired = expired.size;
    cost.named = institutions.length;
    cost.listed = listed.trusted.length + listed.spam.length;
    cost.domains = own.length;
    for (const node of own) {
      cost.pages += Math.max(1, Math.ceil((this.#links.get(node) ?? 0) / LINKS_A_PAGE));
    }
    return this.#planted;
  }

  #registerApart(count: number): number[] {
    const first = this.invent(count);
    const nodes = Array.from({ length: count }, (_, index) => first + index);
    for (const node of nodes) this.#planted.own.push(node);
    return nodes;
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
