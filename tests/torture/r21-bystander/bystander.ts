/**
 * Promise R21: no request delays another. Strangers, users with and without money and an admin send the heaviest
 * possible bodies, uploads that stop and streams that nobody reads. Meanwhile another user's sends are answered nearly
 * as fast as before, and memory stays bounded.
 */
import { join } from 'node:path';
import { loadOf } from '../r13-overload/overload.ts';
import { campaign, unless, type Report, type Run } from '../support/campaign.ts';
import { standardModels, TEXT } from '../support/catalogue.ts';
import { postOk, login, newRoom } from '../support/client.ts';
import { MIB, peakMemoryOf } from '../support/process-facts.ts';
import { openStand } from '../support/stand.ts';
import type { AttackPlan, AttackResult } from './attack-process.ts';
import { LONG_MODEL } from './bodies.ts';
import { holdOpen } from './stalled.ts';

const LATER_MAX_MS = 100;
const MEMORY_MAX = 512 * MIB;
const POOR = { login: 'poor', password: 'a poor password' };
const RICH = { login: 'rich', password: 'a rich password' };
const HOLDER = { login: 'holder', password: 'a password of streams' };

interface BystanderSizes extends Record<string, number> {
  /** The size of a body, in percent of the largest allowed one; 0: only bodies above a limit. */
  percent: number;
  /** The most bodies above a limit. */
  bounded: number;
  /** Concurrent requests with the same body. */
  atOnce: number;
  /** Bodies of random shape. */
  random: number;
  uploads: number;
  streams: number;
  /** WebSocket connections. */
  sockets: number;
  /** Milliseconds in which the bystander's sends are timed before the attack, and in each turn during it. */
  measureMs: number;
}

export const bystander = campaign<BystanderSizes>({
  name: 'bystander',
  promise: 'R21',
  title: 'no request holds up another',
  full: {
    percent: 100,
    bounded: 100,
    atOnce: 2,
    random: 100,
    uploads: 60,
    streams: 150,
    sockets: 16,
    measureMs: 5_000,
  },
  small: {
    percent: 2,
    bounded: 100,
    atOnce: 1,
    random: 10,
    uploads: 10,
    streams: 20,
    sockets: 2,
    measureMs: 300,
  },
  smallDialects: ['sqlite'],
  run: (run) => runBystander(run),
});

/** @param preload a deliberately broken build */
export async function runBystander(
  { dialect, seed, sizes, judgeTime }: Run<BystanderSizes>,
  preload?: string,
): Promise<Report> {
  const plan = (message: string) => (message === 'unread' ? { pieces: 20, pieceMs: 100 } : {});
  const models = [...standardModels, LONG_MODEL];
  await using stand = await openStand(dialect, { plan, models });
  const server = await stand.start(0, { preload });
  const { url, pid } = server;
  const admin = await stand.fillPurse(url);
  const poor = await newUser(url, admin, POOR, 0.05);
  const rich = await newUser(url, admin, RICH, 1_000_000);
  const holder = await newUser(url, admin, HOLDER, 1_000_000);
  const { measureMs, percent, bounded, atOnce, random, sockets } = sizes;
  const bystanders = { url, token: admin, roomId: await newRoom(url, admin), connections: 2 };
  const usual = await loadOf({ ...bystanders, warmUpMs: 500, measureMs });
  const unread = {
    room_id: await newRoom(url, holder),
    ai: TEXT,
    message: 'unread',
    stream: true,
    max_output_tokens: 50,
  };
  const release = await holdOpen(url, holder, { ...sizes, body: unread });
  const attacked = attackIn({
    url,
    seed,
    atOnce,
    bounded,
    random,
    sockets,
    roomId: await newRoom(url, poor),
    tokens: { poor, rich, admin },
    share: percent / 100,
  });
  const ended: true[] = [];
  const end = () => ended.push(true);
  void attacked.then(end, end);
  const turns = [];
  do turns.push(await loadOf({ ...bystanders, warmUpMs: 0, measureMs }));
  while (ended.length === 0);
  const attack = await attacked;
  release();
  const odd = turns.flatMap((turn) => Object.keys(turn.odd));
  const p99Ms = Math.max(...turns.map((turn) => turn.p99Ms));
  const peak = peakMemoryOf(pid) ?? 0;
  return {
    figures: {
      usualP99Ms: usual.p99Ms,
      p99Ms: turns.map((turn) => turn.p99Ms),
      attack: { requests: attack.requests, slowestMs: attack.slowestMs },
      peakMiB: Math.round(peak / MIB),
    },
    broken: [
      ...attack.wrong,
      ...odd.map((what) => `a bystander was answered ${what}`),
      ...unless(
        turns.some((turn) => turn.accepted > 0),
        'no bystander was answered',
      ),
      ...unless(!judgeTime || p99Ms <= usual.p99Ms + LATER_MAX_MS, `bystanders: p99 ${p99Ms} ms`),
      ...unless(!judgeTime || peak <= MEMORY_MAX, `${Math.round(peak / MIB)} MiB of memory`),
    ],
  };
}

/** @returns a token of a new user */
async function newUser(
  url: string,
  admin: string,
  who: typeof POOR,
  rubles: number,
): Promise<string> {
  await postOk(url, admin, '/admin/users/add/', { ...who, credit: rubles });
  return login(url, who);
}

async function attackIn(plan: AttackPlan): Promise<AttackResult> {
  const root = join(import.meta.dir, '../../..');
  const script = join(import.meta.dir, 'attack-process.ts');
  const child = Bun.spawn(['sh', join(root, 'bin/bun'), script], {
    stdin: new Blob([JSON.stringify(plan)]),
    stdout: 'pipe',
    stderr: 'inherit',
  });
  return (await new Response(child.stdout).json()) as AttackResult;
}
