import { entry, refusedIn, send, type ClientEntry, type Seen } from './client-log.ts';
import { becomesTrue } from './until.ts';

/** All of these may be stuck in a settle that cannot be stored yet. */
const PROBES_MAX = 50;
const FELT_WITHIN_MS = 60_000;

export interface Probing {
  url: string;
  token: string;
  roomId: string;
  /** The refusals since `earlier` are counted; the probes are added. */
  log: ClientEntry[];
  earlier: number;
  /** The beginning of every message, so that no two loads share one. */
  name: string;
}

/**
 * Waits until failures have an effect: it sends until a send is refused or the time is over, since all clients of the
 * load may be waiting for answers.
 * @returns the probes, which may still wait for their ends
 */
export async function untilRefused(of: Probing): Promise<Promise<Seen>[]> {
  const { url, token, roomId, log, earlier, name } = of;
  const probes: Promise<Seen>[] = [];
  await becomesTrue(() => {
    if (refusedIn(log.slice(earlier)) > 0) return true;
    if (probes.length >= PROBES_MAX) return false;
    const line = entry({ message: `${name}, probe ${probes.length}`, roomId });
    log.push(line);
    probes.push(send(url, token, line));
    return false;
  }, FELT_WITHIN_MS);
  return probes;
}
