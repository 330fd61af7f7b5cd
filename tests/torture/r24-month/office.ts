/** The gateway of the month, and its operator's two interfaces: HTTP with an API key, and the command line. */
import type { Dialect } from '../../../src/db/index.ts';
import { settableClock } from '../../support/clock.ts';
import { runCommand } from '../../support/command.ts';
import { openGateway, type Gateway } from '../../support/gateway.ts';
import { postOk, post, type Answer } from '../support/client.ts';
import { startBillingProvider, type Billed } from './billing-provider.ts';
import { catalogueFile, priceLists } from './price-list.ts';
import type { Movement } from './recount.ts';

const DAY_MS = 86_400_000;
/** The first day of the month that is reported. */
const FIRST = Date.UTC(2026, 10, 1);
/** Moments of a day, in milliseconds: the first, a later one, and the last. */
export const MOMENTS = [0, 45_296_789, DAY_MS - 1];

export interface Office extends AsyncDisposable {
  gateway: Gateway;
  url: string;
  baseUrl: string;
  /** The provider's bills. */
  billed: readonly Billed[];
  /** Payments into accounts and corrections, as the operator recorded them. */
  movements: Movement[];
  /** A key of a shop. */
  shop: string;
  /**
   * Sets the time.
   * @param day 0 is the first of the month
   */
  goTo(day: number, moment?: number): void;
  today(): string;
  /** A request of the operator that must succeed. */
  postOk(path: string, body: object): Promise<Record<string, unknown>>;
  post(path: string, body: object, headers?: Record<string, string>): Promise<Answer | undefined>;
  /**
   * A command of the operator that must succeed.
   * @returns its output with --json
   */
  command<T>(...words: string[]): Promise<T>;
  /**
   * A command that may be refused.
   * @returns its exit code
   */
  tryCommand(...words: string[]): Promise<number>;
}

export const micro = (rubles: unknown): bigint => BigInt(Math.round(Number(rubles) * 1e6));
export const rublesOf = (amount: bigint): string =>
  `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, '0')}`;

export async function openOffice(dialect: Dialect): Promise<Office> {
  await using stack = new AsyncDisposableStack();
  const provider = startBillingProvider();
  stack.defer(() => provider.stop());
  const clock = settableClock(FIRST);
  const goTo = (day: number, moment = 0) => void (clock.at = FIRST + day * DAY_MS + moment);
  const today = () => new Date(clock.at).toISOString().slice(0, 10);
  goTo(-2);
  const [first] = priceLists;
  const gateway = stack.use(
    await openGateway(dialect, {
      clock,
      catalogue: first ? catalogueFile(first, provider.baseUrl, today()) : '',
      env: { ZASTAVA_REGISTRATION: 'invitation', ZASTAVA_TRUSTED_PROXIES: '127.0.0.1' },
    }),
  );
  const url = gateway.listen();
  const { userId } = await gateway.addUser({ isAdmin: true });
  const keyOf = async (scope: 'admin' | 'credit') =>
    (await gateway.core.keys.create(userId, { name: scope, scope })).key;
  const [key, shop] = [await keyOf('admin'), await keyOf('credit')];
  const kept = stack.move();
  return {
    gateway,
    url,
    baseUrl: provider.baseUrl,
    billed: provider.billed,
    movements: [],
    shop,
    goTo,
    today,
    postOk: (path, body) => postOk(url, key, path, body),
    post: (path, body, headers) => post(url, key, path, body, headers),
    async command<T>(...words: string[]) {
      const { code, out, err } = await runCommand(gateway.core, [...words, '--json']);
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${err}`);
      return JSON.parse(out) as T;
    },
    tryCommand: async (...words) => (await runCommand(gateway.core, words)).code,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
