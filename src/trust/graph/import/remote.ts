import { DomainError, messageOf } from '../../../lib/errors.ts';

/** Breaks in a row, without a byte in between, after which a download is given up. */
const FAILURES_MAX = 6;
/** Milliseconds before the first retry; doubled each time. */
const RETRY_MS = 250;
/** Milliseconds without a byte before a connection counts as broken. */
const STALL_MS = 60_000;

/**
 * The bytes at an address that the operator gave, as they lie on the server. A download of hours breaks now
 * and then: it goes on where it broke, as long as the server says that the file is still the same.
 * @param onSize told once the server has said how many bytes there are
 */
export async function* remoteBytes(
  address: string,
  signal: AbortSignal,
  onSize: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let offset = 0;
  let size: number | undefined;
  let validator: string | undefined;
  let failures = 0;
  for (;;) {
    const stall = new Stall(signal);
    try {
      const response = await request(address, offset, validator, stall.signal);
      if (offset === 0) {
        size = sizeOf(response);
        validator = validatorOf(response);
        if (size !== undefined) onSize(size);
      }
      for await (const chunk of response.body ?? []) {
        stall.defer();
        failures = 0;
        offset += chunk.length;
        yield chunk;
      }
      // A body that ends with its connection ends without an error, too early or not.
      if (size === undefined || offset >= size) return;
      throw new Error('the connection ended early');
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DomainError) throw error;
      failures++;
      if (failures >= FAILURES_MAX) throw unreachable(address, offset, error);
    } finally {
      stall.end();
    }
    await Bun.sleep(RETRY_MS * 2 ** (failures - 1));
  }
}

async function request(
  address: string,
  offset: number,
  validator: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const headers = new Headers({ 'Accept-Encoding': 'identity' });
  if (offset > 0) headers.set('Range', `bytes=${offset}-`);
  if (offset > 0 && validator !== undefined) headers.set('If-Range', validator);
  // Whatever Content-Encoding a server claims for a .gz file: what counts is the bytes it stores.
  const response = await fetch(address, { headers, signal, decompress: false });
  if (response.status >= 500 || response.status === 429) {
    throw new Error(`the server answered ${response.status}`);
  }
  if (!response.ok) {
    throw new DomainError(
      'not_found',
      `${address} answered ${response.status}: give the address of a file that can be fetched without a login`,
    );
  }
  if (offset > 0 && !goesOn(response, offset)) {
    throw new DomainError(
      'invalid_request',
      `the download of ${address} broke after ${offset} bytes, and its server can't go on from there: fetch the file by other means and import it from the disk`,
    );
  }
  return response;
}

/** Whether an answer begins at the byte that was asked for; some caches answer with another part than that. */
function goesOn({ status, headers }: Response, offset: number): boolean {
  const begin = /^bytes (\d+)-/i.exec(headers.get('content-range') ?? '')?.[1];
  return status === 206 && (begin === undefined || Number(begin) === offset);
}

function sizeOf(response: Response): number | undefined {
  const length = response.headers.get('content-length');
  return length === null ? undefined : Number(length);
}

/** Only a strong validator says that the bytes are the same. */
function validatorOf(response: Response): string | undefined {
  const etag = response.headers.get('etag');
  if (etag !== null && !etag.startsWith('W/')) return etag;
  return response.headers.get('last-modified') ?? undefined;
}

function unreachable(address: string, offset: number, cause: unknown): DomainError {
  return new DomainError(
    'invalid_request',
    `${address} can't be read beyond byte ${offset} (${messageOf(cause)}): try again later`,
    { cause },
  );
}

/** Aborts a request that gives no byte for too long. */
class Stall {
  readonly signal: AbortSignal;
  readonly #abort = new AbortController();
  #timer = this.#start();

  constructor(outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.#abort.signal]);
  }

  defer(): void {
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  #start() {
    return setTimeout(() => this.#abort.abort(new Error('no byte came for too long')), STALL_MS);
  }
}
