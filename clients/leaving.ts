import { models, type ModelName } from './cells.ts';
import type { Gateway } from './gateway.ts';
import type { Seen } from './judge.ts';
import type { Upstream } from './upstream/server.ts';

/** How long the gateway may take to leave a provider whose client has left. */
const LEAVE_MS = 5_000;
/** How long it may take to read a slow stream to its end, and to charge it. */
const READ_ON_MS = 30_000;
const POLL_MS = 50;
/** What every answer of the script costs by its reported usage: 50 tokens at 25 ₽ and 10 at 200 ₽ a million. */
const COST_RUBLES = 0.00325;

/** Watches what the gateway does with a stream whose client leaves. */
export class Leaving {
  readonly #gateway: Gateway;
  readonly #upstream: Upstream;
  readonly #model: ModelName;
  #leftBefore = 0;
  #balanceBefore = 0;

  constructor(gateway: Gateway, upstream: Upstream, model: ModelName) {
    this.#gateway = gateway;
    this.#upstream = upstream;
    this.#model = model;
  }

  /** Called before the client begins. */
  async begin(): Promise<void> {
    this.#leftBefore = this.#upstream.left;
    this.#balanceBefore = (await this.#account()).balance;
  }

  /** Called once the client has left: waits for what the gateway does then. */
  async end(): Promise<Pick<Seen, 'left' | 'readOnAndCharged'>> {
    const left = () => this.#upstream.left - this.#leftBefore;
    await until(() => left() > 0, LEAVE_MS);
    if (left() > 0 || !this.#mayThinkUnseen) return { left: left(), readOnAndCharged: false };
    await until(async () => (await this.#account()).held === 0, READ_ON_MS);
    const { balance } = await this.#account();
    const charged = this.#balanceBefore - balance;
    return { left: left(), readOnAndCharged: Math.abs(charged - COST_RUBLES) < 1e-6 };
  }

  /** OpenAI's model does by its name; Gemini's once it has signed reasoning that it did not show. */
  get #mayThinkUnseen(): boolean {
    return models[this.#model] === 'openai' || this.#upstream.signers.has(this.#model);
  }

  async #account(): Promise<{ balance: number; held: number }> {
    const { url, key } = this.#gateway;
    const answer = await fetch(`${url}/account/`, { headers: { authorization: `Bearer ${key}` } });
    return (await answer.json()) as { balance: number; held: number };
  }
}

async function until(isSo: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await isSo()) && Date.now() < end) await Bun.sleep(POLL_MS);
}
