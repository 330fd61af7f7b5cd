import { worstCase } from '../ledger/index.ts';
import type { Micro } from '../lib/money.ts';
import { contextFor, holdAsk } from './hold-ask.ts';
import { usableModel } from './models.ts';
import type { Rooms } from './rooms.ts';
import type { SenderParts } from './send-parts.ts';
import { checkAgainstModel, type SendInput } from './send-rules.ts';

export interface Estimate {
  /** The most that the request can cost; a send never charges more. */
  costMax: Micro;
  inputTokensMax: number;
  outputTokensMax: number;
  contextUsed: number;
  versionId: number;
  warnings: string[];
}

/** What a send would cost at the most; nothing is sent, held or written. */
export class Estimator {
  readonly #parts: Pick<SenderParts, 'db' | 'catalogue' | 'images' | 'isAdmin'>;
  readonly #rooms: Rooms;

  constructor(parts: Pick<SenderParts, 'db' | 'catalogue' | 'images' | 'isAdmin'>, rooms: Rooms) {
    this.#parts = parts;
    this.#rooms = rooms;
  }

  /** @throws what a send would throw before it holds anything, but for funds */
  async estimate(userId: number, input: SendInput): Promise<Estimate> {
    const model = await usableModel(this.#parts, userId, input.ai);
    const warnings = checkAgainstModel(model, input);
    await this.#rooms.find(userId, input.roomId);
    const context = await contextFor(this.#parts, userId, model, input);
    const ask = holdAsk(model, input, context);
    return {
      costMax: worstCase(ask),
      inputTokensMax: ask.inputTokensMax,
      outputTokensMax: ask.outputTokensMax,
      contextUsed: context.items.length,
      versionId: model.versionId,
      warnings,
    };
  }
}
