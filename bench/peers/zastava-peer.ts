import { parseRubles } from '../../src/lib/money.ts';
import { environment, logIn, restartZastava, withBooks, type Zastava } from '../support/zastava.ts';
import { racePriceOfAnswer, type Account, type Peer } from './peer.ts';

const RICH_RUBLES = 1_000_000;
const PASSWORD = 'a password of the race';

/** Zastava as one of the peers whose books are checked. @param name of its row */
export function asPeer(
  zastava: Zastava,
  {
    name,
    books,
    directory,
    env = {},
  }: { name: string; books: string; directory: string; env?: Record<string, string> },
): Peer {
  let { url } = zastava.target;
  let stop = zastava.stop;
  let kill = zastava.kill;
  let accounts = 0;
  const settings = { ...environment(directory), ...env };
  return {
    target: { ...zastava.target, name },
    books,
    async open(budget) {
      const user = `${books.toLowerCase()}-race-${++accounts}`;
      const rubles = budget === undefined ? RICH_RUBLES : budget * racePriceOfAnswer;
      await withBooks(settings, async ({ users, ledger }) => {
        await users.add({ login: user, password: PASSWORD }, (tx, id) =>
          ledger.openAccount(tx, id, parseRubles(Number(rubles.toFixed(6))) ?? 0, 'race'),
        );
      });
      const token = await logIn(url, user, PASSWORD);
      const account: Account & { login: string } = {
        url,
        headers: { authorization: `Bearer ${token}` },
        model: 'race',
        login: user,
      };
      return account;
    },
    booked: (account) =>
      withBooks(settings, async ({ db }) => {
        const [row] = await db.query<{ n: number }>(
          `SELECT COUNT(*) AS n FROM ledger_entries WHERE account = 'user' AND kind = 'charge'
           AND user_id = (SELECT id FROM users WHERE login = $1)`,
          [(account as Account & { login: string }).login],
        );
        return row?.n ?? 0;
      }),
    async crash() {
      await kill();
      const running = await restartZastava(directory, env);
      url = running.readyLine.replace('listening on ', '');
      stop = () => running.stop();
      kill = () => running.kill();
    },
    stop: () => stop(),
  };
}
