import { DomainError } from '../../lib/errors.ts';
import { sha256Hex } from '../../lib/ids.ts';
import type { PassedTexts } from '../../lib/passed-texts.ts';
import type { CreateEvent } from '../openai/responses/socket/create-event.ts';
import type { RequestFacts } from '../request-facts.ts';
import { type BodyBudget, COUNTED_FROM_BYTES, type Reservation } from './budget.ts';
import { isFormType, parseForm, type FormRule } from './form.ts';
import { passedBytes } from './images.ts';
import { parseJsonObject } from './json.ts';
import { scanJson } from './scan.ts';
import type { BodyThread } from './thread.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** The largest JSON body of the native interface, in bytes. */
export const BODY_MAX_BYTES = 4 * MIB;
/** The largest body of an operation that needs no credential, in bytes. */
export const PUBLIC_BODY_MAX_BYTES = 16 * KIB;
/** A slower upload would hold a connection for ever. */
export const BODY_DEADLINE_MS = 20_000;
/** A larger body, or one with more values, is parsed on a separate thread. */
const INLINE_MAX_BYTES = 64 * KIB;
const INLINE_MAX_VALUES = 2_000;
/** A smaller body does not wait for larger ones: it is parsed on another thread. */
const QUICK_MAX_BYTES = 256 * KIB;

const encoder = new TextEncoder();

export interface JsonBody {
  value: Record<string, unknown>;
  /** True if the thread has checked the value against the schema of the endpoint. */
  isChecked: boolean;
  /** True for a form: then all values are texts and files. */
  isForm?: boolean;
  /** Images that are stand-ins in the value; only of an endpoint. */
  passed?: PassedTexts | undefined;
  /** SHA-256 of the bytes as they were sent, in hex. Needs an Idempotency-Key header. */
  digest: () => string;
}

export interface BodyOptions {
  maxBytes?: number | undefined;
  /** Undefined if the body is read before the credential. */
  userId?: number;
  /** An endpoint under `/v1`; the thread checks a large body against its schema. */
  endpoint?: { path: string; form?: FormRule };
}

type Facts = Pick<RequestFacts, 'address' | 'atEnd'> & { reserve?: RequestFacts['reserve'] };

/** Reads JSON bodies, without holding up other requests. */
export class BodyReader {
  readonly #budget: BodyBudget;
  readonly #quick: BodyThread;
  readonly #thread: BodyThread;
  readonly #deadlineMs: number;

  constructor(parts: {
    budget: BodyBudget;
    quick: BodyThread;
    thread: BodyThread;
    deadlineMs?: number;
  }) {
    this.#budget = parts.budget;
    this.#quick = parts.quick;
    this.#thread = parts.thread;
    this.#deadlineMs = parts.deadlineMs ?? BODY_DEADLINE_MS;
  }

  /**
   * Reads a JSON object from a request, and checks its content type, size, time, UTF-8, depth, number of values, and
   * texts. An empty body is `{}`.
   * @throws `unsupported_media_type`, `payload_too_large`, `invalid_json`, `invalid_request`, `overloaded`
   */
  async read(request: Request, facts: Facts, options: BodyOptions = {}): Promise<JsonBody> {
    const { maxBytes = BODY_MAX_BYTES, userId, endpoint } = options;
    const isForm = checkContentType(request, endpoint?.form);
    checkContentEncoding(request);
    facts.reserve = () => this.#budget.reserve(userId, facts.address);
    let reservation: Reservation | undefined;
    const bytes = await readBytes(request, maxBytes, {
      deadlineMs: this.#deadlineMs,
      reserve: () => {
        const reserved = this.#budget.reserve(userId, facts.address);
        facts.atEnd(() => reserved.release());
        return (reservation = reserved);
      },
    });
    if (isForm) return readForm(request, bytes, reservation);
    if (bytes.length <= INLINE_MAX_BYTES && scanJson(bytes) <= INLINE_MAX_VALUES) {
      const value = bytes.length === 0 ? {} : parseJsonObject(bytes);
      return { value, isChecked: false, digest: () => sha256Hex(bytes) };
    }
    const { length } = bytes;
    const wantsDigest = request.headers.has('idempotency-key');
    const job = { bytes, endpoint: endpoint?.path, wantsDigest };
    const weigh = (textBytes: number) => reservation?.weigh(textBytes);
    const parsed = await this.#threadFor(length).parse(job, userId ?? 0, weigh);
    // Base64 that turned out not to be an image has been parsed as well.
    weigh(length - passedBytes(parsed.passed));
    return { ...parsed, isChecked: endpoint !== undefined, digest: () => parsed.digest };
  }

  /** Reads a message of WebSocket mode. @throws `payload_too_large`, `invalid_json`, `invalid_request` */
  async readEvent(message: string, userId: number, now: number): Promise<CreateEvent> {
    const bytes = encoder.encode(message);
    const { length } = bytes;
    if (length <= INLINE_MAX_BYTES && scanJson(bytes) <= INLINE_MAX_VALUES) {
      // Only this mode needs it, and with it the schemas of the Responses API.
      const { readCreateEvent } = await import('../openai/responses/socket/create-event.ts');
      return readCreateEvent(bytes, now);
    }
    return this.#threadFor(length).readEvent({ bytes, eventAt: now }, userId);
  }

  #threadFor(length: number): BodyThread {
    return length <= QUICK_MAX_BYTES ? this.#quick : this.#thread;
  }
}

/** Files are not parsed further, and are passed on as they are. */
async function readForm(
  request: Request,
  bytes: Uint8Array,
  reservation: Reservation | undefined,
): Promise<JsonBody> {
  const form = parseForm(bytes, request.headers.get('content-type') ?? '');
  reservation?.weigh(bytes.length - form.fileBytes);
  const digest = request.headers.has('idempotency-key') ? await form.digest() : '';
  return { value: form.fields, isChecked: false, isForm: true, digest: () => digest };
}

/** A request without a body need not name a type. @returns true for a form */
function checkContentType(request: Request, form: FormRule): boolean {
  const type = request.headers.get('content-type');
  if (form && isFormType(type)) return true;
  const isJson = type !== null && /^application\/json\s*(;|$)/i.test(type.trim());
  if (form !== 'only' && (isJson || (type === null && !hasBody(request)))) return false;
  const wanted = [
    ...(form ? ['multipart/form-data with a form'] : []),
    ...(form === 'only' ? [] : ['application/json with a JSON body']),
  ];
  throw new DomainError(
    'unsupported_media_type',
    `send the header Content-Type: ${wanted.join(', or ')}`,
  );
}

function hasBody({ headers, body }: Request): boolean {
  const length = headers.get('content-length');
  return length === null ? body !== null : length !== '0';
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

interface ReadOptions {
  deadlineMs?: number;
  /** Reserves memory for a large body. */
  reserve?: () => Reservation;
}

/** The body of a request, bounded in size and time. */
export function readBytes(
  request: Request,
  maxBytes: number,
  { deadlineMs = BODY_DEADLINE_MS, reserve }: ReadOptions = {},
): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (declared === null && !request.body) return Promise.resolve(new Uint8Array());
  if (declared === null) return withDeadline(readChunks(request, maxBytes, reserve), deadlineMs);
  const length = Number(declared);
  if (length > maxBytes) return Promise.reject(tooLarge(maxBytes));
  if (length > COUNTED_FROM_BYTES) reserve?.().add(length);
  return withDeadline(request.bytes(), deadlineMs);
}

/** Like `Promise.race` with a timer, at half the cost, since every request needs it. */
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
async function readChunks(
  request: Request,
  maxBytes: number,
  reserve: ReadOptions['reserve'],
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let reservation: Reservation | undefined;
  let [size, counted] = [0, 0];
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    if (size > COUNTED_FROM_BYTES && reserve) {
      reservation ??= reserve();
      reservation.add(size - counted);
      counted = size;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): DomainError {
  const max = maxBytes < MIB ? `${maxBytes / KIB} KiB` : `${maxBytes / MIB} MiB`;
  return new DomainError('payload_too_large', `the request body is larger than ${max}`);
}

function tooSlow(deadlineMs: number): DomainError {
  return new DomainError(
    'invalid_json',
    `the request body did not arrive within ${deadlineMs / 1000} seconds`,
  );
}

/** The client hung up while it was sending. Nobody reads this error, but it must not be logged as internal. */
function cutOff(cause: Error): DomainError {
  return new DomainError('invalid_json', 'the request body was cut off', { cause });
}
