/**
 * Promise R14, in sizes: a body that is as heavy as it may be is answered like any other, and keeps nobody else
 * waiting: one thread serves all.
 */
import { campaign, unless, type Report, type Run } from '../support/campaign.ts';
import { loginAsAdmin, newRoom } from '../support/client.ts';
import { MIB, peakMemoryOf } from '../support/process-facts.ts';
import { nobodyThere } from '../support/routes.ts';
import { openStand } from '../support/stand.ts';
import { heavyBodies, type HeavyBody } from './heavy-bodies.ts';

/** How long others may wait for it. */
const WAIT_MAX_MS = 2_000;
/** Bodies of 32 MiB, one right after the other: each stands in memory as bytes, as text, and as objects. */
const MEMORY_MAX_MIB = 1_536;
/** What a refusal says fits on a screen or two. */
const REFUSAL_MAX_BYTES = 64 * 1024;
const PATIENCE_MS = 300_000;

interface HeavySizes extends Record<string, number> {
  /** Of the largest body that is taken. */
  percent: number;
}

export const heavy = campaign<HeavySizes>({
  name: 'heavy',
  promise: 'R14',
  title: 'no body keeps the others waiting',
  full: { percent: 100 },
  small: { percent: 2 },
  smallDialects: ['sqlite'],
  run: runHeavy,
});

interface Outcome {
  status: number;
  ms: number;
  /** The longest that another request waited meanwhile. */
  othersMs: number;
  bytes: number;
  /** The most memory that the server had until then. */
  peakMiB: number;
}

async function runHeavy({ dialect, sizes, judgeTime }: Run<HeavySizes>): Promise<Report> {
  await using stand = await openStand(dialect, { catalogue: 'models: []', env: nobodyThere });
  const server = await stand.start();
  const token = await loginAsAdmin(server.url);
  const roomId = await newRoom(server.url, token);
  const peakMiB = (): number => Math.round((peakMemoryOf(server.pid) ?? 0) / MIB);
  const told: Record<string, Outcome> = {};
  const broken: string[] = [];
  for (const one of heavyBodies(sizes.percent / 100, roomId)) {
    const outcome = { ...(await sendBeside(server.url, token, one)), peakMiB: peakMiB() };
    const { status, bytes, othersMs } = outcome;
    told[`${one.path}: ${one.name}`] = outcome;
    broken.push(
      ...unless(status >= 200 && status < 500, `${one.name}: answered ${status}`),
      ...unless(status < 400 || bytes <= REFUSAL_MAX_BYTES, `${one.name}: ${bytes} bytes`),
      ...unless(!judgeTime || othersMs <= WAIT_MAX_MS, `${one.name}: others waited ${othersMs} ms`),
    );
  }
  broken.push(...unless(peakMiB() <= MEMORY_MAX_MIB, `${peakMiB()} MiB of memory`));
  return { told, broken };
}

/** Sends a body, and asks for next to nothing again and again until it is answered. */
async function sendBeside(
  url: string,
  token: string,
  { path, body }: HeavyBody,
): Promise<Omit<Outcome, 'peakMiB'>> {
  const start = performance.now();
  const progress = { answered: false };
  const answer = fetch(url + path, {
    method: 'POST',
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
    .then(async (response) => ({ status: response.status, bytes: (await response.bytes()).length }))
    .catch(() => ({ status: 0, bytes: 0 }))
    .finally(() => (progress.answered = true));
  let others = 0;
  do {
    const asked = performance.now();
    await fetch(`${url}/healthz`).then((response) => response.bytes());
    others = Math.max(others, performance.now() - asked);
  } while (!progress.answered);
  const { status, bytes } = await answer;
  const ms = Math.round(performance.now() - start);
  return { status, ms, othersMs: Math.round(others), bytes };
}
