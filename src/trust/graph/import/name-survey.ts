import { domainToASCII } from 'node:url';
import { registrableDomain, type SuffixReading } from '../../identity.ts';
import { reverseName } from '../reversed-name.ts';

/** How many names are sampled: in the graph of the whole web, one of about 50,000 names is a platform's. */
const SAMPLE_MAX = 2 ** 18;
/** Graphs of domains have almost no hosts; in a graph of hosts, they are the greater part. */
const HOSTS_SHARE = 0.05;
const HOSTS_MIN = 3;
const EXAMPLES_MAX = 3;

/** Facts about the names of a graph; counts are of the sampled names. */
export interface NameFacts {
  sampled: number;
  /** Names below a registrable domain by either reading, such as `www.example.com`. */
  hosts: number;
  hostExamples: string[];
  /** Registrable only by the reading `private`, such as `me.github.io`. */
  sites: number;
  /** Registrable only by the reading `icann`, such as `github.io`. */
  platforms: number;
}

/** Whether the names are those of a host graph. */
export function areHosts({ sampled, hosts }: NameFacts): boolean {
  return hosts >= HOSTS_MIN && hosts > HOSTS_SHARE * sampled;
}

/**
 * The reading with which the names were made; `private`, which this program uses itself, if the names do not show it.
 */
export function readingOf({ sites, platforms }: NameFacts): SuffixReading {
  return platforms > 0 && platforms >= sites ? 'icann' : 'private';
}

/**
 * Samples the names of a graph, each with the same chance (algorithm L; Li 1994), and describes them. Looking
 * up the suffix of every name would double the time of an import.
 */
export class NameSurvey {
  readonly #sample: string[] = [];
  readonly #size: number;
  #seen = 0;
  /** The number of the next name to take once the sample is full. */
  #next = 0;
  #weight = 1;
  /** The seed of the generator: always the same, so that a repeated import reports the same facts. */
  #state = 1;

  /** @param size of the sample */
  constructor(size = SAMPLE_MAX) {
    this.#size = size;
  }

  /** @param bytes contains the reversed name at [start, end), in any spelling */
  add(bytes: Uint8Array, start: number, end: number): void {
    const place = this.#seen++;
    if (place < this.#size) {
      this.#sample.push(decoder.decode(bytes.subarray(start, end)));
      if (place === this.#size - 1) this.#skip();
    } else if (place === this.#next) {
      const replaced = Math.floor(this.#random() * this.#size);
      this.#sample[replaced] = decoder.decode(bytes.subarray(start, end));
      this.#skip();
    }
  }

  facts(): NameFacts {
    const facts: NameFacts = { sampled: 0, hosts: 0, hostExamples: [], sites: 0, platforms: 0 };
    for (const reversed of this.#sample) count(facts, domainToASCII(reverseName(reversed)));
    facts.sampled = this.#sample.length;
    return facts;
  }

  #skip(): void {
    this.#weight *= Math.exp(Math.log(this.#random()) / this.#size);
    this.#next = this.#seen + Math.floor(Math.log(this.#random()) / Math.log(1 - this.#weight));
  }

  /** Above 0 and below 1 (xorshift; Marsaglia 2003). */
  #random(): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return (state >>> 0) / 2 ** 32;
  }
}

const decoder = new TextDecoder();

function count(facts: NameFacts, name: string): void {
  const byPrivate = registrableDomain(name, 'private');
  const byIcann = registrableDomain(name, 'icann');
  if (byPrivate === null) {
    if (byIcann === name) facts.platforms++;
  } else if (byPrivate !== name) {
    facts.hosts++;
    if (facts.hostExamples.length < EXAMPLES_MAX) facts.hostExamples.push(name);
  } else if (byIcann !== name) facts.sites++;
}
