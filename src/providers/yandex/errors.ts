import type { ErrorFacts } from '../shared/http.ts';
import { asRecord } from '../shared/json.ts';
import { isRefusal } from './operation.ts';

/** `{"error": {"grpcCode", "httpCode", "message"}}` or `{"error": "…", "code", "message"}` */
export function explainError(body: unknown): ErrorFacts {
  const answer = asRecord(body);
  const error = asRecord(answer?.['error']);
  const message = error?.['message'] ?? answer?.['message'];
  const code = error?.['grpcCode'] ?? answer?.['code'];
  return { reported: { code, message }, contentRefused: isRefusal(message) };
}
