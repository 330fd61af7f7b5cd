import { join } from 'node:path';
import { GzipWriter } from './gzip-writer.ts';
import { Random } from './random.ts';
import { webNames } from './web-names.ts';

export interface WebGraphPlan {
  domains: number;
  /** An upper limit; about as many are made. */
  edges: number;
  seed: number;
  directory: string;
}

export interface WebGraphFiles {
  vertices: string;
  edges: string;
  /** How many domains were made. */
  domains: number;
  edgeCount: number;
}

/** The share of domains of the public web graph that link nowhere. */
const DANGLING = 0.64;
/** Share of links that go to a neighbour in the order of names: sites of one owner, one ending. */
const LOCAL = 0.35;
/** How far, in the mean, such a neighbour is. */
const LOCAL_DISTANCE = 200;
/** Shape of the power law of out-degrees: greater is more even. */
const OUT_SHAPE = 1.1;
/** Skew of the choice of targets: the r-th popular domain is chosen in proportion to r^(1/skew − 1). */
const IN_SKEW = 3.5;

const [TAB, LINE_END] = [9, 10];

/** Writes a graph with the degrees, the locality and the dangling nodes of the web's. */
export async function generateGraph(plan: WebGraphPlan): Promise<WebGraphFiles> {
  const vertices = join(plan.directory, 'vertices.txt.gz');
  const edges = join(plan.directory, 'edges.txt.gz');
  await writeVertices(vertices, plan);
  const edgeCount = await writeEdges(edges, plan);
  return { vertices, edges, domains: plan.domains, edgeCount };
}

async function writeVertices(path: string, { domains, seed }: WebGraphPlan): Promise<void> {
  const writer = new GzipWriter(path);
  const random = new Random(seed);
  let id = 0;
  for (const name of webNames(domains, new Random(seed + 1))) {
    writer.number(id++);
    writer.byte(TAB);
    writer.ascii(name);
    writer.byte(TAB);
    writer.number(1 + Math.floor(3 * random.next() ** 8));
    writer.byte(LINE_END);
    if (writer.full) await writer.flush();
  }
  await writer.close();
}

async function writeEdges(path: string, plan: WebGraphPlan): Promise<number> {
  const writer = new GzipWriter(path);
  const random = new Random(plan.seed + 2);
  const scale = degreeScale(plan);
  const targets = new TargetChoice(plan.domains, random);
  let written = 0;
  for (let source = 0; source < plan.domains; source++) {
    const degree = degreeOf(source, scale, plan);
    for (const target of targets.choose(source, Math.min(degree, plan.edges - written))) {
      writer.number(source);
      writer.byte(TAB);
      writer.number(target);
      writer.byte(LINE_END);
      written++;
      if (writer.full) await writer.flush();
    }
  }
  await writer.close();
  return written;
}

/** Drawn from the node's own number, so that a pass over all of them costs no memory. */
function degreeOf(node: number, scale: number, { domains, seed }: WebGraphPlan): number {
  const random = new Random(Math.imul(node + 1, 0x9e3779b1) ^ seed);
  if (random.next() < DANGLING) return 0;
  const degree = scale * (1 - random.next()) ** (-1 / OUT_SHAPE);
  return Math.max(1, Math.min(Math.round(degree), Math.ceil(domains / 20)));
}

/** By what to multiply degrees so that there are as many edges as planned. */
function degreeScale(plan: WebGraphPlan): number {
  const sample = Math.min(plan.domains, 1_000_000);
  const wanted = (plan.edges * sample) / plan.domains;
  let [low, high] = [0, (plan.edges / plan.domains) * 10 + 10];
  for (let step = 0; step < 24; step++) {
    const scale = (low + high) / 2;
    let edges = 0;
    for (let node = 0; node < sample; node++) edges += degreeOf(node, scale, plan);
    if (edges < wanted) low = scale;
    else high = scale;
  }
  return high;
}

class TargetChoice {
  readonly #domains: number;
  readonly #random: Random;
  /** Has no divisor in common with the number of domains: steps of it come by each of them once. */
  readonly #stride: number;
  readonly #seen: Uint32Array;
  #row = new Uint32Array(1024);
  #round = 0;

  constructor(domains: number, random: Random) {
    this.#domains = domains;
    this.#random = random;
    let stride = Math.floor(domains * 0.618) | 1;
    while (divisor(stride, domains) !== 1) stride += 2;
    this.#stride = stride;
    this.#seen = new Uint32Array(domains);
  }

  /** Different targets, ascending, none the source itself; in a small graph, fewer than asked for. */
  choose(source: number, degree: number): Uint32Array {
    if (this.#row.length < degree) this.#row = new Uint32Array(degree * 2);
    this.#round++;
    let count = 0;
    for (let tries = degree * 4; tries > 0 && count < degree; tries--) {
      const target = this.#random.next() < LOCAL ? this.#near(source) : this.#popular();
      if (target === source || this.#seen[target] === this.#round) continue;
      this.#seen[target] = this.#round;
      this.#row[count++] = target;
    }
    return this.#row.subarray(0, count).sort();
  }

  #near(source: number): number {
    const distance = Math.ceil(-Math.log(1 - this.#random.next()) * LOCAL_DISTANCE);
    const target = this.#random.next() < 0.5 ? source - distance : source + distance;
    return Math.min(Math.max(target, 0), this.#domains - 1);
  }

  /** Popular domains are spread over the order of names. */
  #popular(): number {
    const rank = Math.floor(this.#domains * this.#random.next() ** IN_SKEW);
    return (rank * this.#stride) % this.#domains;
  }
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
