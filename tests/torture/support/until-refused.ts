import { entry, refusedIn, send, type ClientEntry, type Seen } from './client-log.ts';
import { becomesTrue } from './until.ts';

/** Of them, all may be stuck in a settle that can not be stored yet. */
const PROBES_MAX = 50;
const FELT_WITHIN_MS = 60_000;

export interface Probing {
  url: string;
  token: string;
  roomId: string;
  /** The refusals since `earlier` are counted; the probes are added. */
  log: ClientEntry[];
  earlier: number;
  /** Begins every message, so that no two loads share one. */
  name: string;
}

/**
 * Makes trouble felt: sends, beside a load whose clients may all be waiting for answers, until a send is
 * refused, or long enough.
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
