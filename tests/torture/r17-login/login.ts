/**
 * Promise R17: login holds. Thousands of guesses from many addresses never succeed, the owner can still log in from the
 * usual address, and forged tokens are always refused.
 */
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { postOk, login as logIn, loginAsAdmin } from '../support/client.ts';
import { randomFrom } from '../support/random.ts';
import { openStand, SECRET } from '../support/stand.ts';
import { tryForged } from './forged.ts';
import { guess } from './guess.ts';

const OWNER = { login: 'owner', password: 'the right password' };
const HOME = '198.51.100.7';
const OWNER_EVERY_MS = 200;
/** Guesses at one login that are checked: at once, and each second after (`users/login-throttle.ts`). */
const AT_ONCE_MAX = 100;
const A_SECOND_MAX = 1;
/** Nine more logins that do not exist are guessed at, too. */
const LOGINS = 10;

interface LoginSizes extends Record<string, number> {
  guesses: number;
  addresses: number;
}

export const login = campaign<LoginSizes>({
  name: 'login',
  promise: 'R17',
  title: 'login holds',
  full: { guesses: 10_000, addresses: 100 },
  small: { guesses: 15, addresses: 100 },
  smallDialects: ['sqlite'],
  run: runLogin,
});

async function runLogin({ dialect, seed, sizes }: Run<LoginSizes>): Promise<Report> {
  const env = { ZASTAVA_TRUSTED_PROXIES: '127.0.0.1' };
  await using stand = await openStand(dialect, { env });
  const { url } = await stand.start();
  await postOk(url, await loginAsAdmin(url), '/admin/users/add/', OWNER);
  const token = await logIn(url, OWNER, HOME);
  const forged = await tryForged(url, token, SECRET);
  const done = new AbortController();
  let ownersLogins = 0;
  const refused: string[] = [];
  const owner = async () => {
    while (!done.signal.aborted) {
      await logIn(url, OWNER, HOME).then(
        () => ownersLogins++,
        (error: unknown) => refused.push(String(error)),
      );
      await Bun.sleep(OWNER_EVERY_MS);
    }
  };
  const owning = owner();
  const start = performance.now();
  const { answers, letIn } = await guess({
    ...sizes,
    url,
    token,
    login: OWNER.login,
    random: randomFrom(seed),
  });
  const seconds = (performance.now() - start) / 1_000;
  done.abort();
  await owning;
  const lookedAt = (answers['401 wrong_credentials'] ?? 0) + (answers['200 no'] ?? 0);
  const most = LOGINS * (AT_ONCE_MAX + A_SECOND_MAX * seconds);
  return {
    figures: { answers, lookedAt, ownersLogins, forgedTried: forged.tried },
    broken: [
      ...linesOf({ letIn, refusedOwner: refused, forgedLetIn: forged.letIn }),
      ...linesOf({ goodKeptOut: forged.keptOut }),
      ...unless(lookedAt <= most, `${lookedAt} guesses were looked at, ${Math.ceil(most)} at most`),
      ...unless(ownersLogins > 0, 'the owner never tried'),
    ],
  };
}
