import type { ErrorFacts } from '../shared/http.ts';
import { asRecord } from '../shared/json.ts';
import { isRefusal } from './operation.ts';

/** `{"error": {"grpcCode", "httpCode", "message"}}` or `{"error": "…", "code", "message"}` */
export function explainError(body: unknown): ErrorFacts {
  const answer = asRecord(body);
  const message = asRecord(answer?.['error'])?.['message'] ?? answer?.['message'];
  const text = typeof message === 'string' ? message : null;
  return { text, contentRefused: isRefusal(text) };
}
