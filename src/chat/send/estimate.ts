import { worstCase, type Limits } from '../../ledger/index.ts';
import type { Micro } from '../../lib/money.ts';
import type { Rooms } from '../rooms/rooms.ts';
import type { SenderParts } from './sender-parts.ts';
import {
  checkAgainstModel,
  inputFor,
  kindOf,
  modelForUser,
  noSuchModel,
  type SendInput,
} from './send-input.ts';
import { holdAsk } from './take-hold.ts';

export interface Estimate {
  /** The most that the request can cost; a send never charges more. */
  costMax: Micro;
  inputTokensMax: number;
  outputTokensMax: number;
  contextUsed: number;
  versionId: number;
  warnings: string[];
}

export interface EstimateParts extends Pick<
  SenderParts,
  'db' | 'catalogue' | 'images' | 'isAdmin'
> {
  limits: Limits;
  rooms: Rooms;
}

/**
 * What a send would cost at the most; nothing is sent, held or written.
 * @throws what a send would throw before it holds anything, but for funds and rates
 */
export async function estimateSend(
  parts: EstimateParts,
  userId: number,
  given: SendInput,
): Promise<Estimate> {
  const model = await modelForUser(parts, userId, given.ai);
  const { models: allowed } = await parts.limits.get(userId);
  if (allowed && !allowed.includes(model.id)) throw noSuchModel(model.id);
  const warnings = checkAgainstModel(model, given);
  const input = inputFor(model, given);
  await parts.rooms.find(userId, input.roomId);
  const context = await kindOf(input).context(parts, userId, model, input);
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
