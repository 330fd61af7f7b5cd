/**
 * A process that sends heavy bodies and messages, several at once, and prints how each was answered. Reads a plan as
 * JSON.
 */
import { randomFrom } from '../support/random.ts';
import { attackBySockets, PATIENCE_MS } from './attack-sockets.ts';
import { boundedBodies, heavyBodies, randomBodies, type HeavyBody, type Sender } from './bodies.ts';

export interface AttackPlan {
  url: string;
  roomId: string;
  tokens: Record<Exclude<Sender, 'stranger'>, string>;
  /** The size of a body, as a share of the largest allowed one, for bodies whose size can vary; 0: none of them. */
  share: number;
  /** The most bodies above a limit. */
  bounded: number;
  /** Concurrent requests with the same body. */
  atOnce: number;
  random: number;
  /** WebSocket connections of the user without money. */
  sockets: number;
  seed: number;
}

export interface AttackResult {
  requests: number;
  /** Wrong answers, a line each. */
  wrong: string[];
  slowestMs: number;
}

/** A refusal is short. */
const REFUSAL_MAX_BYTES = 64 * 1024;
const RANDOM_BYTES_MAX = 4 * 1024 * 1024;

async function attack(plan: AttackPlan): Promise<AttackResult> {
  const wrong: string[] = [];
  let [requests, slowestMs] = [0, 0];
  const bodies = [
    plan.share > 0 ? heavyBodies(plan.share, plan.roomId) : [],
    boundedBodies().take(plan.bounded),
    randomBodies(plan.random, RANDOM_BYTES_MAX * plan.share, randomFrom(plan.seed)),
  ];
  for (const some of bodies) {
    for (const one of some) {
      const start = performance.now();
      const answers = Array.from({ length: plan.atOnce }, () => send(plan, one));
      for (const problem of await Promise.all(answers)) if (problem) wrong.push(problem);
      requests += plan.atOnce;
      slowestMs = Math.max(slowestMs, Math.round(performance.now() - start));
    }
  }
  const { url, tokens, share, sockets: connections } = plan;
  const bySockets = await attackBySockets({ url, token: tokens.poor, share, connections });
  wrong.push(...bySockets.wrong.map((problem) => `WebSocket: ${problem}`));
  return { requests: requests + bySockets.requests, wrong, slowestMs };
}

/** @returns the problem of the answer */
async function send(
  { url, tokens }: AttackPlan,
  { path, body, sender, name, status: expected }: HeavyBody,
): Promise<string | undefined> {
  const response = await fetch(url + path, {
    method: 'POST',
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      'content-type': 'application/json',
      ...(sender !== 'stranger' && { authorization: `Bearer ${tokens[sender]}` }),
    },
  }).catch((error: unknown) => String(error));
  if (typeof response === 'string') return `${name}: ${response}`;
  const { status, headers } = response;
  const bytes = (await response.bytes()).length;
  if (status >= 400 && bytes > REFUSAL_MAX_BYTES) return `${name}: a refusal of ${bytes} bytes`;
  if (status === 503 && headers.has('retry-after')) return undefined;
  if (status >= 500) return `${name}: answered ${status}`;
  if (expected !== undefined && status !== expected) return `${name}: ${status}, not ${expected}`;
  return undefined;
}

if (import.meta.main) {
  console.log(JSON.stringify(await attack((await Bun.stdin.json()) as AttackPlan)));
  process.exit(0);
}
