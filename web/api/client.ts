/** Calls of the JSON API with the cookie of the page's session. */
import { signal as signalOf } from '@preact/signals';
import type { Operations } from './types.ts';

/** Whether the last call did not reach the server. */
export const isOffline = signalOf(!navigator.onLine);
addEventListener('offline', () => (isOffline.value = true));
addEventListener('online', () => (isOffline.value = false));

/** A refusal by the server, or no answer at all: then the code is `offline`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The problems with the fields of the body. */
  readonly details: readonly { path: string; message: string }[];
  /** Further facts of some codes, by their names in docs/api.md. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    more: Pick<Partial<ApiError>, 'requestId' | 'retryAfterSeconds' | 'details' | 'facts'> = {},
  ) {
    super(message);
    this.code = code;
    this.requestId = more.requestId;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.facts = more.facts ?? {};
    this.details = more.details ?? [];
  }
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** A repetition with the same key has a single effect. */
  idempotencyKey?: string;
}

/** Asks the user for the password again, and sends it to the server. Resolves to false if the user declines. */
export const onPasswordRequired: { handle: () => Promise<boolean> } = {
  handle: () => Promise.resolve(false),
};

/** Called when the server no longer knows the session. */
export const onSessionEnd: { handle: () => void } = { handle: () => undefined };

const sessionCodes = ['unauthenticated', 'invalid_token', 'token_expired', 'token_revoked'];

/** Whether an error means that the user has to log in again. */
export function isSessionOver({ code }: ApiError): boolean {
  return sessionCodes.includes(code);
}

export type Path = keyof Operations;
/** The body of an operation. */
export type Body<P extends Path> = Operations[P]['body'];
/** The `data` of an operation's answer. */
export type Data<P extends Path> = Operations[P]['data'];

/** @returns the raw answer of an operation @throws ApiError if there is no answer, or a refusal */
export async function post<P extends Path>(
  path: P,
  body: Body<P>,
  options: CallOptions = {},
): Promise<Response> {
  const { signal, idempotencyKey } = options;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    // For the sentences of trust reports.
    'accept-language': document.documentElement.lang,
    'x-zastava-page': '1',
  };
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    isOffline.value = true;
    throw new ApiError('offline', 'no connection');
  }
  isOffline.value = false;
  if (response.ok) return response;
  const error = await refusalOf(response);
  if (isSessionOver(error)) onSessionEnd.handle();
  if (error.code === 'password_required' && (await onPasswordRequired.handle())) {
    return post(path, body, options);
  }
  throw error;
}

/** @returns the `data` of an operation's answer @throws ApiError */
export async function call<P extends Path>(
  path: P,
  body: Body<P>,
  options?: CallOptions,
): Promise<Data<P>> {
  const response = await post(path, body, options);
  const { data } = (await response.json()) as { data: Data<P> };
  return data;
}

interface Refusal {
  error?: {
    code?: string;
    message?: string;
    details?: ApiError['details'];
    [fact: string]: unknown;
  };
  request_id?: string;
}

async function refusalOf(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
  // A proxy in front of the server may answer with its own page.
  const { error, request_id: requestId }: Refusal = await response.json().catch(() => ({}));
  return new ApiError(error?.code ?? 'unreadable', error?.message ?? `HTTP ${response.status}`, {
    requestId,
    ...(error?.details && { details: error.details }),
    facts: error ?? {},
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}
