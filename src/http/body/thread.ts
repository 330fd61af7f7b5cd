import { drainMicrotasks } from 'bun:jsc';
import { workerFile } from '../../lib/compiled.ts';
import type { PassedTexts } from '../../lib/passed-texts.ts';
import { DomainError, type ErrorCode, type ErrorDetail } from '../../lib/errors.ts';
import type { CreateEvent } from '../openai/responses/socket/create-event.ts';

export interface BodyRequest {
  bytes: Uint8Array;
  /** The endpoint whose schema checks the body; undefined: the body is only parsed. */
  endpoint: string | undefined;
  wantsDigest: boolean;
}

/** A message of WebSocket mode. */
export interface EventRequest {
  bytes: Uint8Array;
  /** When it arrived, in milliseconds. */
  eventAt: number;
}

export interface Parsed {
  value: Record<string, unknown>;
  /** Images that are stand-ins in the value. */
  passed?: PassedTexts | undefined;
  /** SHA-256 of the bytes in hex; empty if it was not requested. */
  digest: string;
}

/**
 * The thread's answer: what it read, the parts of a `DomainError`, or the message of another error. Before it parses a
 * large body, it asks whether there is room for the values of this many bytes of text.
 */
export type ParseAnswer =
  | { textBytes: number }
  | { parsed: Parsed | CreateEvent }
  | { code: ErrorCode; message: string; details: ErrorDetail[] }
  | { failure: string };

/** Answers a question for room: parse the body, or drop it. */
export type RoomAnswer = 'parse' | 'drop';

/** The thread ends after this time without a body, and frees its memory. */
const IDLE_MS = 10_000;
/** If the process has more resident bytes after a body, the thread ends at once. */
const MEMORY_MAX = 224 * 1024 * 1024;
/** Milliseconds for which what is done at once with a body may hold up the serving thread. */
const HELD_UP_MS = 5;
/** If it takes longer, others have that thread so many times as long before the next body. */
const REST = 4;

interface Job {
  request: BodyRequest | EventRequest;
  weigh?: ((textBytes: number) => void) | undefined;
  resolve: (parsed: Parsed | CreateEvent) => void;
  reject: (error: unknown) => void;
}

/**
 * Parses and checks large bodies on a separate thread, since that may take a second for a body of many values. One body
 * at a time; users take turns, so that one user's bodies do not hold up those of others.
 */
export class BodyThread {
  readonly #jobsOf = new Map<number, Job[]>();
  #worker: Worker | undefined;
  #running: Job | undefined;
  #isResting = false;
  #idle: Timer | undefined;
  readonly #memoryMax: number;

  /** @param memoryMax only for tests */
  constructor(memoryMax = MEMORY_MAX) {
    this.#memoryMax = memoryMax;
  }

  /**
   * @param request its bytes are handed over and can't be used afterwards
   * @param weigh reserves memory for the values of a large body before it is parsed; if it throws, the body is refused
   * @throws `payload_too_large`, `invalid_json`, `invalid_request`, and what `weigh` throws
   */
  parse(request: BodyRequest, userId: number, weigh?: Job['weigh']): Promise<Parsed> {
    return this.#run<Parsed>({ request, weigh }, userId);
  }

  /** Reads a message of WebSocket mode. Bytes and errors are treated in the same way. */
  readEvent(request: EventRequest, userId: number): Promise<CreateEvent> {
    return this.#run<CreateEvent>({ request }, userId);
  }

  #run<T extends Parsed | CreateEvent>(
    work: Pick<Job, 'request' | 'weigh'>,
    userId: number,
  ): Promise<T> {
    return new Promise<Parsed | CreateEvent>((resolve, reject) => {
      const jobs = this.#jobsOf.get(userId);
      const job = { ...work, resolve, reject };
      if (jobs) jobs.push(job);
      else this.#jobsOf.set(userId, [job]);
      if (!this.#running && !this.#isResting) this.#next();
    }) as Promise<T>;
  }

  #next(): void {
    clearTimeout(this.#idle);
    const [userId, jobs] = this.#jobsOf.entries().next().value ?? [];
    this.#running = jobs?.shift();
    if (userId === undefined || !jobs || !this.#running) {
      this.#idle = setTimeout(() => this.#end(), IDLE_MS);
      this.#idle.unref();
      return;
    }
    // The user's other bodies wait until everyone else has had a turn.
    this.#jobsOf.delete(userId);
    if (jobs.length > 0) this.#jobsOf.set(userId, jobs);
    const { request } = this.#running;
    this.#worker ??= this.#start();
    this.#worker.postMessage(request, [request.bytes.buffer as ArrayBuffer]);
  }

  #start(): Worker {
    const worker = new Worker(workerFile('http/body/worker'));
    worker.unref();
    worker.addEventListener('message', ({ data }: MessageEvent<ParseAnswer>) => {
      if ('textBytes' in data) this.#makeRoom(data.textBytes);
      else this.#done(data);
    });
    worker.addEventListener('error', ({ message }) => {
      this.#end();
      this.#done({ failure: message });
    });
    return worker;
  }

  #makeRoom(textBytes: number): void {
    const answer = (given: RoomAnswer) => this.#worker?.postMessage(given);
    try {
      this.#running?.weigh?.(textBytes);
    } catch (error) {
      this.#running?.reject(error);
      this.#running = undefined;
      answer('drop');
      this.#next();
      return;
    }
    answer('parse');
  }

  #done(answer: Exclude<ParseAnswer, { textBytes: number }>): void {
    const job = this.#running;
    this.#running = undefined;
    if (process.memoryUsage.rss() > this.#memoryMax) this.#end();
    this.#isResting = true;
    const start = performance.now();
    if ('parsed' in answer) job?.resolve(answer.parsed);
    else job?.reject(errorOf(answer));
    // Lets the caller handle the values now, as far as it does not wait for anything.
    drainMicrotasks();
    const tookMs = performance.now() - start;
    if (tookMs <= HELD_UP_MS) this.#goOn();
    else setTimeout(() => this.#goOn(), tookMs * REST);
  }

  #goOn(): void {
    this.#isResting = false;
    this.#next();
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}

function errorOf(answer: Exclude<ParseAnswer, { parsed: unknown } | { textBytes: number }>): Error {
  if ('failure' in answer) return new Error(`the thread of bodies failed: ${answer.failure}`);
  return new DomainError(answer.code, answer.message, { details: answer.details });
}
