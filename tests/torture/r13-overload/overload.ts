/**
 * Promise R13: overload degrades. With ten times the load, and with thousands of slow connections, accepted sends are
 * answered nearly as fast as before, others get a Retry-After, and memory is bounded.
 */
import { join } from 'node:path';
import { campaign, unless, type Report, type Run } from '../support/campaign.ts';
import { newRoom } from '../support/client.ts';
import { childrenOf, MIB, peakMemoryOf } from '../support/process-facts.ts';
import { openStand } from '../support/stand.ts';
import type { LoadPlan, LoadResult } from './load-process.ts';
import { openSlowSockets } from './slow-sockets.ts';

const TIMES = 10;
const PROVIDER_DELAY_MS = 20;
const SLOWER_MAX = 2;
const MEMORY_MAX = 512 * MIB;

interface OverloadSizes extends Record<string, number> {
  /** Just enough to keep a node busy: each sends again as soon as it has its answer. */
  connections: number;
  warmUpMs: number;
  measureMs: number;
  slowSockets: number;
  workers: number;
}

export const overload = campaign<OverloadSizes>({
  name: 'overload',
  promise: 'R13',
  title: 'overload degrades',
  full: { connections: 128, warmUpMs: 5_000, measureMs: 20_000, slowSockets: 10_000, workers: 1 },
  small: { connections: 8, warmUpMs: 100, measureMs: 400, slowSockets: 300, workers: 1 },
  smallDialects: ['sqlite'],
  run: runOverload,
});

async function runOverload({ dialect, sizes, judgeTime }: Run<OverloadSizes>): Promise<Report> {
  const plan = () => ({ delayMs: PROVIDER_DELAY_MS });
  await using stand = await openStand(dialect, { plan, workers: sizes.workers });
  const server = await stand.start();
  const { url, pid } = server;
  const token = await stand.fillPurse(url);
  const roomId = await newRoom(url, token);
  const { connections, warmUpMs, measureMs } = sizes;
  const load = (times = 1) =>
    loadOf({
      url,
      token,
      roomId,
      warmUpMs,
      measureMs,
      connections: connections * times,
    });
  const usual = await load();
  const tenfold = await load(TIMES);
  const slow = await openSlowSockets(Number(new URL(url).port), sizes.slowSockets);
  const beside = await load();
  slow.close();
  const after = await load();
  const peaks = [pid, ...childrenOf(pid)].map((each) => peakMemoryOf(each) ?? 0);
  const peak = Math.max(...peaks);
  const most = usual.p99Ms * SLOWER_MAX;
  const all = { usual, tenfold, beside, after };
  return {
    figures: { ...all, slowSockets: slow.opened, peakMiB: Math.round(peak / MIB) },
    broken: [
      ...Object.entries(all).flatMap(([name, { odd, accepted, p99Ms }]) => [
        ...Object.entries(odd).map(([what, count]) => `${name}: answered ${what}, ${count} times`),
        ...unless(accepted > 0, `${name}: nothing was accepted`),
        ...unless(!judgeTime || p99Ms <= most, `${name}: p99 ${p99Ms} ms, ${usual.p99Ms} usually`),
      ]),
      ...unless(!judgeTime || peak <= MEMORY_MAX, `${Math.round(peak / MIB)} MiB of memory`),
    ],
  };
}

/** Sends of users for a while, from a separate process. */
export async function loadOf(plan: LoadPlan): Promise<LoadResult> {
  const root = join(import.meta.dir, '../../..');
  const child = Bun.spawn(['sh', join(root, 'bin/bun'), join(import.meta.dir, 'load-process.ts')], {
    stdin: new Blob([JSON.stringify(plan)]),
    stdout: 'pipe',
    stderr: 'inherit',
  });
  return (await new Response(child.stdout).json()) as LoadResult;
}
