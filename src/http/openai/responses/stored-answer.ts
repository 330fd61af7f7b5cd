import type { StoredResponse } from '../../../chat/index.ts';
import { DomainError, type ErrorCode } from '../../../lib/errors.ts';
import { openAiError } from '../../compatible/errors.ts';
import { versionNames } from '../../compatible/models.ts';
import type { OperationParts } from '../../operation-parts.ts';
import {
  answerView,
  failedResponse,
  isBackground,
  openResponse,
  type Answered,
  type ResponseFacts,
} from './answer.ts';
import type { KeptSettings } from './conversation.ts';

/** The same error for a response that was not stored, was deleted, or is another user's. */
export function noResponse(id: string): DomainError {
  return new DomainError('not_found', `Response with id '${id}' not found.`);
}

export async function factsOf(
  parts: OperationParts,
  { settings, versionId }: StoredResponse,
  sealed: boolean,
): Promise<ResponseFacts> {
  const { asked, named } = JSON.parse(settings) as KeptSettings;
  return { asked, named, sealed, model: await versionNames(parts.catalogue)(versionId) };
}

/** The response as it was answered. */
export async function storedView(
  parts: OperationParts,
  userId: number,
  stored: StoredResponse,
  sealed: boolean,
): Promise<object> {
  const { roomId, id, createdAt, state } = stored;
  const of = { roomId, id, askedAt: createdAt };
  const facts = await factsOf(parts, stored, sealed);
  if (state === 'pending') {
    // If another node runs it, it may have begun.
    const running = parts.sender.detached.ofMessage(userId, id);
    const isQueued = isBackground(facts) && running?.hasBegun === false;
    return openResponse(of, facts, isQueued ? 'queued' : 'in_progress');
  }
  if (state === 'failed') return failedResponse(of, facts, openAiError(failureOf(stored)));
  return answerView(answeredOf(stored), facts);
}

/** The error with which the send of a failed response ended. */
export function failureOf({ errorCode, refusal }: StoredResponse): DomainError {
  return new DomainError(errorCode as ErrorCode, `the send failed with ${errorCode}`, { refusal });
}

export function answeredOf(stored: StoredResponse): Answered {
  const { promptTokens, completionTokens, createdAt, respondedAt, warnings } = stored;
  return {
    ...stored,
    response: stored.text,
    askedAt: createdAt,
    respondedAt: respondedAt ?? createdAt,
    finishReason: stored.state === 'stopped' ? 'stopped' : (stored.finishReason ?? 'stop'),
    usage: {
      ...stored,
      promptTokens: promptTokens ?? 0,
      completionTokens: completionTokens ?? 0,
      totalTokens: (promptTokens ?? 0) + (completionTokens ?? 0),
      source: stored.usageSource ?? 'estimated',
    },
    warnings: warnings === null ? [] : (JSON.parse(warnings) as string[]),
  };
}
