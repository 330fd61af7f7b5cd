import { DomainError } from '../../lib/errors.ts';
import { toRubles } from '../../lib/money.ts';
import type { HoldResult } from '../commit/commands.ts';
import { answerDeleted, answerOversized, keyReused } from '../idempotency/idempotency.ts';
import { limitRefusal } from './limit-refusal.ts';
import { roomNotFound } from '../rooms/rooms.ts';

/** The error for a caller whose hold was not taken. Nothing was sent or charged. */
export function holdRefusal(
  result: Exclude<HoldResult, { kind: 'held' | 'replay' }>,
  modelId: number,
): DomainError {
  switch (result.kind) {
    case 'limited':
      return limitRefusal(result.refused, modelId, result.quotas);
    case 'room_not_found':
      return roomNotFound();
    case 'answer_deleted':
      return answerDeleted();
    case 'answer_oversized':
      return answerOversized();
    case 'in_progress':
      return new DomainError(
        'idempotency_in_progress',
        'the first request with this Idempotency-Key is still running: wait for it, then repeat',
      );
    case 'key_reused':
      return keyReused();
    case 'insufficient': {
      const needed = toRubles(result.needed);
      const available = toRubles(result.available);
      const affordable = result.affordableOutputTokens;
      const advice =
        affordable > 0
          ? `top up, or send max_output_tokens of at most ${affordable}`
          : 'top up the balance';
      return new DomainError(
        'insufficient_funds',
        `the request can cost up to ${needed} ₽ and ${available} ₽ are available: ${advice}`,
        {
          facts: { needed, available, max_output_tokens: affordable },
          details: [
            { path: 'needed', message: `${needed}` },
            { path: 'available', message: `${available}` },
            { path: 'max_output_tokens', message: `${affordable}` },
          ],
        },
      );
    }
  }
}
