import type { Database } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { DomainError } from '../../lib/errors.ts';
import { uuidHex } from '../../lib/ids.ts';
import { pause } from '../../lib/pause.ts';
import type { TrustCheck } from '../check.ts';
import type { Sleep } from '../crawl/options.ts';
import type { GuardedFetch } from '../page/guarded-fetch.ts';
import { changesBetween, remembered, seenIn, type Change, type Seen } from './seen.ts';
import { WatchList, type Claimed } from './watch-list.ts';
import { Webhook } from './webhook.ts';

/** How many sites are read at the same time. */
const AT_ONCE = 16;
/** Milliseconds before an event that was not accepted is sent again. */
const REDELIVER_MS = 10 * 60_000;
/** The longest sleep, in milliseconds: timers are limited to 24 days, and clocks may be set. */
const SLEEP_MAX_MS = 60_000;

/** A site that changed, in the form in which it is reported. */
export interface WatchEvent {
  /** The same in each delivery of the event. */
  id: string;
  type: 'site.changed';
  /** ISO 8601, UTC. */
  at: string;
  domain: string;
  changes: Change[];
  /** What is known now. */
  now: Seen;
  /** The release on which the score is based; null without one. */
  release: string | null;
}

export interface WatchOptions {
  db: Database;
  clock: Clock;
  check: Pick<TrustCheck, 'siteOf' | 'check'>;
  /** For the webhook. */
  fetch: Pick<GuardedFetch, 'post'>;
  /** Registrable domains. */
  domains: readonly string[];
  /** Milliseconds between two readings of a site. */
  everyMs: number;
  webhook?: { url: string; secret: string };
  /** Ends the watch after the running readings have ended. */
  signal: AbortSignal;
  /** Called with each event, as one line of JSON. After a crash, an event may come twice. */
  onEvent: (line: string) => Promise<unknown>;
  /** Called if a site can't be read for a reason on our side, or an event is not accepted. */
  onProblem: (message: string) => Promise<unknown>;
  sleep?: Sleep;
}

/**
 * Reads sites at intervals, and reports what changed. The first reading of a site reports nothing. All state is in the
 * database, so that the next run can continue.
 */
export async function watch(options: WatchOptions): Promise<void> {
  const { db, clock, domains, signal, sleep = pause } = options;
  const list = new WatchList(db, clock);
  const watcher = new Watcher(list, options, sleep);
  const due = await list.open(domains);
  while (!signal.aborted) {
    const now = clock.now();
    const ready = [...due].filter(([, at]) => at <= now).sort(([, a], [, b]) => a - b);
    await inParallel(ready, async ([domain, dueAt]) => {
      if (!signal.aborted) due.set(domain, await watcher.turn(domain, dueAt));
    });
    const next = Math.min(...due.values());
    if (signal.aborted || next <= clock.now()) continue;
    await sleep(Math.min(next - clock.now(), SLEEP_MAX_MS), signal);
  }
}

class Watcher {
  readonly #list: WatchList;
  readonly #options: WatchOptions;
  readonly #webhook: Webhook | undefined;
  /** Events that were reported, but that the webhook has not accepted yet. */
  readonly #reported = new Set<string>();

  constructor(list: WatchList, options: WatchOptions, sleep: Sleep) {
    const { webhook, fetch, clock } = options;
    this.#list = list;
    this.#options = options;
    this.#webhook = webhook && new Webhook({ ...webhook, fetch, clock, sleep });
  }

  /** Reads a site that is due, and delivers its changes. @returns when it is due next */
  async turn(domain: string, dueAt: number): Promise<number> {
    const claimed = await this.#list.claim(domain, dueAt);
    if ('dueAt' in claimed) return claimed.dueAt;
    const { pending } = claimed;
    // An event that an earlier run could not deliver comes before anything newer about the site.
    if (pending !== undefined && !(await this.#deliver(pending))) return this.#later(domain, false);
    const event = await this.#read(claimed).catch(async (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      await this.#options.onProblem(`${domain} can't be read: ${error.message}`);
    });
    if (event !== undefined && !(await this.#deliver(event))) return this.#later(domain, false);
    return this.#later(domain, true);
  }

  async #later(domain: string, isDelivered: boolean): Promise<number> {
    const { clock, everyMs } = this.#options;
    const dueAt = clock.now() + (isDelivered ? everyMs : Math.min(REDELIVER_MS, everyMs));
    await this.#list.putBack(domain, dueAt, isDelivered);
    return dueAt;
  }

  /** @returns the event, which is already stored; undefined if nothing changed */
  async #read({ domain, seen: before }: Claimed): Promise<string | undefined> {
    const { check, clock, everyMs } = this.#options;
    const options = { patient: true, again: true, withTopDonors: false };
    const record = await check.check(check.siteOf(domain), options);
    const seen = seenIn(record);
    const changes = before ? changesBetween(before, seen) : [];
    const at = clock.now();
    const event: WatchEvent = {
      id: uuidHex(),
      type: 'site.changed',
      at: new Date(at).toISOString(),
      domain,
      changes,
      now: seen,
      release: record.release,
    };
    const line = changes.length === 0 ? undefined : JSON.stringify(event);
    await this.#list.store(domain, remembered(before, seen), line ?? null, at + everyMs);
    return line;
  }

  /** @returns whether the event needs no further delivery */
  async #deliver(line: string): Promise<boolean> {
    const { onEvent, onProblem, signal } = this.#options;
    if (!this.#reported.has(line)) await onEvent(line);
    const why = await this.#webhook?.deliver(line, signal);
    if (why === undefined) {
      this.#reported.delete(line);
      return true;
    }
    this.#reported.add(line);
    if (signal.aborted) return false;
    await onProblem(`the webhook did not accept an event, which is sent again later: ${why}`);
    return false;
  }
}

/** Runs work for each item, `AT_ONCE` at the same time. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const one = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, one));
}
