/**
 * No promise is tested here: some of every kind of send, without faults, and then the checker. Its findings on a
 * deliberately broken build show how good the checker is.
 */
import { linesOf, unless, type Report } from './support/campaign.ts';
import { checkBooks } from './support/check/check-books.ts';
import { newRoom } from './support/client.ts';
import type { ClientEntry } from './support/client-log.ts';
import { runLoad } from './support/load.ts';
import { randomFrom } from './support/random.ts';
import { openStand } from './support/stand.ts';
import type { Dialect } from '../../src/db/index.ts';

const CLIENTS = 8;
const SENDS = 80;

export async function quietLoad(dialect: Dialect, seed: number, preload?: string): Promise<Report> {
  const random = randomFrom(seed);
  // The provider refuses every eighth call.
  let calls = 0;
  const plan = () => (++calls % 8 === 0 ? { status: 400 } : { pieces: 3 });
  await using stand = await openStand(dialect, { plan });
  const { url } = await stand.start(0, { preload });
  const token = await stand.fillPurse(url);
  const roomId = await newRoom(url, token);
  const log: ClientEntry[] = [];
  await runLoad({
    url: () => url,
    token,
    roomId,
    clients: CLIENTS,
    log,
    random,
    name: 'quiet',
    running: () => log.length < SENDS,
    afterFailure: () => Promise.resolve(),
  });
  const { database, provider } = stand;
  const { findings, compared } = await checkBooks({
    database,
    calls: provider.calls,
    log,
    died: false,
  });
  const broken = [
    ...linesOf(findings),
    ...unless(compared.answered > SENDS / 2, `only ${compared.answered} answers`),
  ];
  return { figures: { ...compared, findings }, broken };
}
