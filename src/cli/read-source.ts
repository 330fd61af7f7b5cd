import { DomainError, messageOf } from '../lib/errors.ts';
import { readFile } from './read-file.ts';
import { decodeUtf8, type Terminal } from './terminal.ts';

/** How long a download may take, in milliseconds. */
const DOWNLOAD_MS = 60_000;

/**
 * The text of a file, of standard input (`-`), or of an http(s) address that the operator named.
 * @throws `invalid_request` saying why it can't be had
 */
export async function readSource(
  source: string,
  maxBytes: number,
  terminal: Terminal,
): Promise<string> {
  if (!/^https?:\/\//i.test(source)) return readFile(source, maxBytes, terminal);
  try {
    return decodeUtf8(await download(source, maxBytes), source);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    const why = error instanceof DOMException && error.name === 'TimeoutError';
    throw new DomainError(
      'invalid_request',
      `${source} can't be downloaded: ${why ? `it took more than ${DOWNLOAD_MS / 1000} s` : messageOf(error)}`,
    );
  }
}

/** Stops as soon as more comes than is wanted, whatever length was told. */
async function download(url: string, maxBytes: number): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(DOWNLOAD_MS);
  const response = await fetch(url, { signal, headers: { accept: 'application/json, */*' } });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
