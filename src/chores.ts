import { purgeIdempotencyKeys, purgeStops, type Sender } from './chat/index.ts';
import type { Core } from './core.ts';
import { closeRunningSums, closeUsageDay } from './db/index.ts';
import type { OpenStreams } from './http/index.ts';
import { chore } from './lib/chore.ts';
import { Stopper } from './lib/stop-signal.ts';
import { purgeUsers, TALLY_MS } from './users/index.ts';

/** How long a change of the catalogue by another process may go unnoticed. */
const CATALOGUE_REFRESH_MS = 2_000;
/** How long a stream may outlive a block of its user by another process. */
const STREAMS_CHECK_MS = 2_000;
/** How long a request to stop a send on another node may go unnoticed. */
const STOPS_CHECK_MS = 1_000;
/** How long a message may go unindexed for the search. A search first indexes the caller's own messages. */
const INDEX_MS = 2_000;
const PURGE_MS = 600_000;
/** For how long reports may have to read a day in full that could be closed, or was reopened. */
const CLOSE_DAYS_MS = 3_600_000;

/** Periodic work: reloads what other processes changed in the catalogue, and removes expired data. */
export function startChores(
  core: Core,
  { streams, sender }: { streams: OpenStreams; sender: Sender },
): { stop: () => void } {
  const { db, clock, catalogue, images, rooms, search, trust, allowance, security, users } = core;
  const stopped = new Stopper();
  const tidy = chore('the removal of unfinished rankings', core, () => trust.store.tidy());
  const eraseTexts = chore('the erasure of texts', core, () => rooms.erasure.sweep(stopped));
  const removeImages = chore('the removal of images', core, () => images.removal.sweep());
  const purge = chore('the removal of what has expired', core, async () => {
    await purgeUsers(db, clock.now());
    await purgeIdempotencyKeys(db, clock.now());
    await purgeStops(db, clock.now());
    await trust.pages.purge();
    await allowance.purge();
  });
  const closeDays = chore('the sums of closed days', core, async () => {
    while (!stopped.aborted && (await closeUsageDay(db)));
    while (!stopped.aborted && (await closeRunningSums(db)));
  });
  const refresh = chore('the refresh of the catalogue', core, () => catalogue.refresh());
  const endStreams = chore('the check for streams of blocked users', core, () =>
    streams.endThose((ids) => users.endedAmong(ids)),
  );
  const stopSends = chore('the stop of sends that other nodes were asked to stop', core, () =>
    sender.detached.obeyStops(),
  );
  const indexTexts = chore('the index for the search', core, () => search.index.sweep(stopped));
  void tidy();
  void eraseTexts();
  void removeImages();
  void closeDays();
  const timers = [
    setInterval(() => void refresh(), CATALOGUE_REFRESH_MS),
    setInterval(() => void endStreams(), STREAMS_CHECK_MS),
    setInterval(() => void indexTexts(), INDEX_MS),
    setInterval(() => void stopSends(), STOPS_CHECK_MS),
    setInterval(() => void purge().then(eraseTexts).then(removeImages), PURGE_MS),
    setInterval(() => void closeDays(), CLOSE_DAYS_MS),
    setInterval(() => security.flush(), TALLY_MS),
  ];
  return {
    stop: () => {
      stopped.abort();
      timers.forEach(clearInterval);
    },
  };
}
