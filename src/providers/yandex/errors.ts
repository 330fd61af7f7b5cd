import type { ErrorFacts } from '../shared/error-facts.ts';
import { wireError } from './wire.ts';

/** How the safety system of YandexART refuses; it has no error code. */
const refusal = /may violate the terms of use/i;

export function isRefusal(message: unknown): boolean {
  return typeof message === 'string' && refusal.test(message);
}

export function explainError(body: unknown): ErrorFacts {
  const answer = wireError.parse(body);
  const message = answer?.error?.message ?? answer?.message;
  const code = answer?.error?.grpcCode ?? answer?.code;
  return { reported: { code, message }, contentRefused: isRefusal(message) };
}
