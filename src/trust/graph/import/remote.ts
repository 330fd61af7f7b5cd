import { DomainError, messageOf } from '../../../lib/errors.ts';

/** After this many consecutive failures without a byte in between, a download ends. */
const FAILURES_MAX = 6;
/** Milliseconds before the next attempt; doubled each time. */
const RETRY_MS = 250;
/** Milliseconds without a byte before a connection counts as broken. */
const STALL_MS = 60_000;

/** The header and the undecoded body of a response. */
export interface RemoteAnswer {
  status: number;
  header: (name: string) => string | null;
  body: AsyncIterable<Uint8Array>;
}

/** A file at a URL. */
export interface RemoteSource {
  /** For messages. */
  label: string;
  open: (headers: Record<string, string>, signal: AbortSignal) => Promise<RemoteAnswer>;
}

/** A file at a URL from the operator, who may reach any address. */
export function fetched(address: string): RemoteSource {
  return {
    label: address,
    async open(headers, signal) {
      // Servers may claim a Content-Encoding for a .gz file; the bytes as stored are needed.
      const response = await fetch(address, { headers, signal, decompress: false });
      const { status, body } = response;
      return { status, body: body ?? emptyBody(), header: (name) => response.headers.get(name) };
    },
  };
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

/**
 * Downloads a file, without decompression. A download that takes hours may break: it is resumed at that point, as long
 * as the server says that the file is still the same.
 * @param onSize called once the server has reported the size
 */
export async function* remoteBytes(
  source: RemoteSource,
  signal: AbortSignal,
  onSize: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let offset = 0;
  let size: number | undefined;
  let validator: string | undefined;
  let failures = 0;
  for (;;) {
    const abort = new AbortController();
    const stalled = () => abort.abort(new Error('no data arrived for too long'));
    const timer = setTimeout(stalled, STALL_MS);
    const either = AbortSignal.any([signal, abort.signal]);
    try {
      const response = await request(source, offset, validator, either);
      if (offset === 0) {
        const length = response.header('content-length');
        if (length !== null) size = Number(length);
        validator = validatorOf(response);
        if (size !== undefined) onSize(size);
      }
      for await (const chunk of response.body) {
        timer.refresh();
        failures = 0;
        offset += chunk.length;
        yield chunk;
      }
      // A body without a known end closes without an error even if it is incomplete.
      if (size === undefined || offset >= size) return;
      throw new Error('the connection ended early');
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DomainError) throw error;
      if (++failures === FAILURES_MAX) {
        const message = `${source.label} can't be read beyond byte ${offset} (${messageOf(error)}): try again later`;
        throw new DomainError('invalid_request', message, { cause: error });
      }
    } finally {
      clearTimeout(timer);
      abort.abort();
    }
    await Bun.sleep(RETRY_MS * 2 ** (failures - 1));
  }
}

async function request(
  { label, open }: RemoteSource,
  offset: number,
  validator: string | undefined,
  signal: AbortSignal,
): Promise<RemoteAnswer> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (offset > 0) headers['range'] = `bytes=${offset}-`;
  if (offset > 0 && validator !== undefined) headers['if-range'] = validator;
  const answer = await open(headers, signal);
  const { status } = answer;
  if (status >= 500 || status === 429) throw new Error(`the server answered ${status}`);
  if (status < 200 || status >= 300) {
    const message = `${label} answered ${status}: give the address of a file that needs no login`;
    throw new DomainError('not_found', message);
  }
  // Some caches send a different part from the requested one.
  const begin = /^bytes (\d+)-/i.exec(answer.header('content-range') ?? '')?.[1] ?? offset;
  if (offset > 0 && !(status === 206 && Number(begin) === offset)) {
    const message = `the download of ${label} broke after ${offset} bytes, and its server can't resume it: download the file by other means and import it from disk`;
    throw new DomainError('invalid_request', message);
  }
  return answer;
}

/** Only a strong validator guarantees the same bytes. */
function validatorOf({ header }: RemoteAnswer): string | undefined {
  const etag = header('etag');
  if (etag !== null && !etag.startsWith('W/')) return etag;
  return header('last-modified') ?? undefined;
}
