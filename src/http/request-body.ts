import { DomainError } from '../lib/errors.ts';

const MIB = 1024 * 1024;
/** The largest JSON body of the native interface, in bytes. */
export const BODY_MAX_BYTES = 4 * MIB;
/** A slower upload would hold a connection for ever. */
export const BODY_DEADLINE_MS = 20_000;
/** Nested objects and arrays. JSON.parse takes any depth, later code does not. */
export const JSON_DEPTH_MAX = 64;
/** In all objects and lists together. A member costs later code much more than its bytes. */
export const JSON_MEMBERS_MAX = 500_000;

/**
 * Reads a JSON object from a request, and checks content type, size, time, UTF-8, depth and texts. An empty body is
 * `{}`.
 * @returns the object, and the bytes as they were sent
 * @throws `unsupported_media_type`, `payload_too_large`, `invalid_json`, `invalid_request`
 */
export async function readJsonObject(
  request: Request,
  maxBytes = BODY_MAX_BYTES,
  deadlineMs = BODY_DEADLINE_MS,
): Promise<{ value: Record<string, unknown>; bytes: Uint8Array }> {
  const bytes = await readBytes(request, maxBytes, deadlineMs);
  if (bytes.length === 0) return { value: {}, bytes };
  checkContentType(request);
  checkContentEncoding(request);
  const value = parse(decode(bytes));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DomainError('invalid_request', 'the request body must be a JSON object');
  }
  return { value: value as Record<string, unknown>, bytes };
}

function checkContentType(request: Request): void {
  const type = request.headers.get('content-type') ?? '';
  if (/^application\/json\s*(;|$)/i.test(type.trim())) return;
  throw new DomainError(
    'unsupported_media_type',
    'send the header Content-Type: application/json with a JSON body',
  );
}

/** Refuses compressed bodies: a few bytes could expand to any size. */
function checkContentEncoding(request: Request): void {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  throw new DomainError(
    'unsupported_media_type',
    'send the body without Content-Encoding: compressed bodies are not accepted',
  );
}

/** The body of a request, bounded in size and time. */
export function readBytes(
  request: Request,
  maxBytes: number,
  deadlineMs = BODY_DEADLINE_MS,
): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (declared === null && !request.body) return Promise.resolve(new Uint8Array());
  if (declared !== null && Number(declared) > maxBytes) return Promise.reject(tooLarge(maxBytes));
  const reading = declared === null ? readChunks(request, maxBytes) : request.bytes();
  return withDeadline(reading, deadlineMs);
}

/** Like `Promise.race` with a timer at half the cost, since every request needs it. */
function withDeadline<T>(reading: Promise<T>, deadlineMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooSlow(deadlineMs)), deadlineMs);
    reading.then(
      (value) => {
        clearTimeout(timer);
        return resolve(value);
      },
      (error: Error) => {
        clearTimeout(timer);
        return reject(error instanceof DomainError ? error : cutOff(error));
      },
    );
  });
}

/** A chunked body has no declared length: reading stops as soon as it is too large. */
async function readChunks(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new DomainError('invalid_json', 'the request body is not valid UTF-8');
  }
}

function parse(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DomainError('invalid_json', 'the request body is not valid JSON');
  }
  checkTree(value, text.includes('\\u'));
  return value;
}

/**
 * Refuses what the database or later code can't take. U+0000 and lone surrogates can only be written as
 * escapes, since the bytes are valid UTF-8.
 */
function checkTree(root: unknown, hasEscapes: boolean): void {
  let members = 0;
  const check = (value: unknown, depth: number): void => {
    if (typeof value === 'string') return hasEscapes ? checkText(value) : undefined;
    if (typeof value !== 'object' || value === null) return;
    if (depth > JSON_DEPTH_MAX) {
      throw new DomainError('invalid_json', `nested deeper than ${JSON_DEPTH_MAX} levels`);
    }
    const isList = Array.isArray(value);
    const inside = isList ? value : Object.keys(value);
    members += inside.length;
    if (members > JSON_MEMBERS_MAX) {
      throw new DomainError('invalid_request', `has more than ${JSON_MEMBERS_MAX} members`);
    }
    for (const one of inside) {
      if (!isList && hasEscapes) checkText(one as string);
      check(isList ? one : (value as Record<string, unknown>)[one as string], depth + 1);
    }
  };
  check(root, 1);
}

function checkText(text: string): void {
  if (!text.isWellFormed()) {
    throw new DomainError('invalid_request', 'text must not contain lone surrogates');
  }
  if (text.includes('\0')) {
    throw new DomainError('invalid_request', 'text must not contain U+0000');
  }
}

function tooLarge(maxBytes: number): DomainError {
  const message = `the request body is larger than ${maxBytes / MIB} MiB`;
  return new DomainError('payload_too_large', message);
}

function tooSlow(deadlineMs: number): DomainError {
  const message = `the request body did not arrive within ${deadlineMs / 1000} seconds`;
  return new DomainError('invalid_json', message);
}

/** The client hung up while it sent. Nobody reads this error, but it must not be logged as internal. */
function cutOff(cause: Error): DomainError {
  return new DomainError('invalid_json', 'the request body was cut off', { cause });
}
