/**
 * Promise R11: clock jumps do no harm. While the wall clock jumps by hours and years, forward and back, sends are
 * charged their cost, no duration is negative, and tokens are valid exactly until their expiry.
 */
import { openGateway, type Gateway } from '../../support/gateway.ts';
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { catalogueFor } from '../support/catalogue.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { readStored } from '../support/check/stored.ts';
import { entry, send, type ClientEntry } from '../support/client-log.ts';
import { startJournalProvider } from '../support/journal-provider.ts';
import { pick, randomFrom } from '../support/random.ts';
import { jumpingClock, type JumpingClock } from './jumping-clock.ts';

const AT_ONCE = 5;
const PROVIDER_DELAY_MS = 4;
const JUMP_EVERY_MS = 3;
/** Tokens that are used again and again, whatever the time. */
const TOKENS_MAX = 50;

export const clock = campaign({
  name: 'clock',
  promise: 'R11',
  title: 'clock jumps do no harm',
  full: { sends: 5_000 },
  small: { sends: 80 },
  run: runClock,
});

async function runClock({ dialect, seed, sizes }: Run<{ sends: number }>): Promise<Report> {
  const random = randomFrom(seed);
  const time = jumpingClock(random);
  const provider = startJournalProvider(() => ({ delayMs: random() * PROVIDER_DELAY_MS }));
  await using gateway = await openGateway(dialect, {
    clock: time,
    catalogue: catalogueFor({ journal: provider }),
  });
  const url = gateway.listen();
  const tokens = new TokenKeeper(gateway, time);
  // An API key without an expiry works at any time.
  const user = await gateway.addUser({ credit: 1_000_000 });
  const made = await gateway.core.keys.create(user.userId, { name: 'clock' });
  const roomId = await gateway.room(made.key);
  const log: ClientEntry[] = [];
  const timer = setInterval(() => time.jump(), JUMP_EVERY_MS);
  const client = async () => {
    while (log.length < sizes.sends) {
      const message = `send ${log.length}`;
      const key = random() < 0.3 ? message : undefined;
      const line = entry({ message, roomId, stream: random() < 0.3, key });
      log.push(line);
      await send(url, made.key, line);
      await tokens.tryOne(random);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  clearInterval(timer);
  const { findings, compared } = await checkBooks({
    database: gateway.database.config,
    calls: provider.calls,
    log,
    died: false,
  });
  const { messages } = await readStored(gateway.database.config);
  const backwards = messages.flatMap(({ request, createdAt, respondedAt }) =>
    unless(
      respondedAt !== null && respondedAt >= createdAt,
      `${request}: answered ${createdAt - (respondedAt ?? 0)} ms before it was sent`,
    ),
  );
  const sums = (await (await gateway.fetch('/metrics')).text()).match(/_(sum|bucket).* -\d.*/g);
  await provider.stop();
  return {
    figures: { ...compared, jumps: time.jumps, tokensTried: tokens.tried },
    broken: linesOf({
      ...findings,
      backwards,
      tokens: tokens.wrong,
      negativeMetrics: sums ?? [],
      unanswered: log.flatMap(({ message, seen }) =>
        unless(seen.how === 'answered', `${message}: ${JSON.stringify(seen)}`),
      ),
    }),
  };
}

/** Uses tokens of all times, and compares the results with the clock of the moment. */
class TokenKeeper {
  tried = 0;
  readonly wrong: string[] = [];
  readonly #gateway: Gateway;
  readonly #time: JumpingClock;
  readonly #tokens: { token: string; expiresAt: number }[] = [];

  constructor(gateway: Gateway, time: JumpingClock) {
    this.#gateway = gateway;
    this.#time = time;
  }

  async tryOne(random: () => number): Promise<void> {
    if (this.#tokens.length < TOKENS_MAX && random() < 0.2) {
      const { token } = await this.#gateway.addUser();
      const { exp } = JSON.parse(atob(token.split('.')[1] ?? '')) as { exp: number };
      this.#tokens.push({ token, expiresAt: exp * 1_000 });
    }
    if (this.#tokens.length === 0) return;
    const { token, expiresAt } = pick(this.#tokens, random);
    const before = this.#time.now();
    const { status, body } = await this.#gateway.post('/account/', {}, { token });
    const after = this.#time.now();
    // The clock jumped meanwhile: either answer may be right.
    if (before < expiresAt !== after < expiresAt || Math.abs(after - before) > 1_000) return;
    this.tried++;
    const wanted = after < expiresAt ? 200 : 401;
    if (status === wanted) return;
    this.wrong.push(
      `answered ${status} ${body.error?.code}, ${expiresAt - after} ms before its end`,
    );
  }
}
