import { DomainError } from '../../lib/errors.ts';
import type { Room } from '../../lib/room.ts';
import { Deadline, type StopSignal } from '../../lib/stop-signal.ts';
import {
  UnsupportedError,
  type GivenImage,
  type ImageEditRequest,
  type SentFile,
  type TextRequest,
} from '../spec.ts';
import { answerOf, contentTypeOf, readBytes } from './body.ts';
import { abortFailure } from './failures.ts';
import type { WireAnswer } from './http1/exchange.ts';
import { attachmentsIn, withParts, type Attachment } from './parts.ts';
import { isPublicUrl, openPublic, type PublicNetwork } from './public-get.ts';

const MIB = 1024 * 1024;
/** The most bytes of all fetched images and files of a request: as many as its body may have. */
const FETCHED_MAX_BYTES = 32 * MIB;
/** The most images and files of a request that are fetched. */
const FETCHED_MAX = 50;
/** How long fetching one of them may take. */
const FETCH_SECONDS = 20;
const REDIRECTS_MAX = 3;
/** Bytes of memory that each fetched byte takes while it becomes a part of the request. */
const WEIGHT = 4;

export interface FetchingParts {
  needsBytes: (part: Attachment) => boolean;
  network?: PublicNetwork | undefined;
}

function isFetched(part: Attachment, { needsBytes }: FetchingParts): boolean {
  return part.url.startsWith('https://') && needsBytes(part);
}

/** Whether a request has images or files that `withFetchedParts` fetches. Nearly all messages are texts. */
export function needsFetching({ messages }: TextRequest, options: FetchingParts): boolean {
  return messages.some(
    (message) =>
      typeof message.content !== 'string' &&
      attachmentsIn(message).some((part) => isFetched(part, options)),
  );
}

/**
 * Makes a call whose request contains the bytes of images and files that the caller gave by URL, for providers that do
 * not fetch them. They are fetched from the public internet only, through the guard for all addresses that users give,
 * and their memory stays reserved until the call has begun to answer.
 * @param call gets the request unchanged if there is nothing to fetch
 * @throws UnsupportedError if one of them can't be fetched: nothing was sent then; what the call throws
 */
export async function withFetchedParts<T>(
  request: TextRequest,
  signal: StopSignal,
  options: FetchingParts,
  call: (request: TextRequest) => Promise<T>,
): Promise<T> {
  if (!needsFetching(request, options)) return call(request);
  return withRoom(request, async (room) =>
    call(await fetchedParts(request, signal, options, room)),
  );
}

/** Does work with reserved memory, which is released afterwards. */
async function withRoom<T>(
  { reserve }: Pick<TextRequest, 'reserve'>,
  work: (room: Room | undefined) => Promise<T>,
): Promise<T> {
  const room = reserve?.();
  try {
    return await work(room);
  } finally {
    room?.release();
  }
}

async function fetchedParts(
  request: TextRequest,
  signal: StopSignal,
  options: FetchingParts,
  room: Room | undefined,
): Promise<TextRequest> {
  const isWanted = (part: Attachment) => isFetched(part, options);
  const attached = request.messages.flatMap(attachmentsIn).filter(isWanted);
  const wanted = new Map(attached.map(({ url, type }) => [url, type]));
  if (wanted.size > FETCHED_MAX) {
    throw unfetched(`At most ${FETCHED_MAX} images and files can have addresses; send data: URLs.`);
  }
  const fetched = new Map<string, string>();
  let left = FETCHED_MAX_BYTES;
  for (const [url, type] of wanted) {
    const part = { url, type, max: left, room };
    const { bytes, essence } = await fetchPart(part, signal, options.network);
    left -= bytes.length;
    const base64 = Buffer.from(bytes).toString('base64');
    fetched.set(url, `data:${essence || 'application/octet-stream'};base64,${base64}`);
  }
  const messages = withParts(request.messages, (part) =>
    isWanted(part) ? { ...part, url: fetched.get(part.url) ?? part.url } : part,
  );
  return { ...request, messages };
}

/** The images of a request to change images, all with their bytes. */
export interface SentImages {
  images: SentFile[];
  mask: SentFile | undefined;
}

/** The same for images to change. @throws as `withFetchedParts` */
export async function withFetchedImages<T>(
  request: ImageEditRequest,
  signal: StopSignal,
  network: PublicNetwork | undefined,
  call: (files: SentImages) => Promise<T>,
): Promise<T> {
  return withRoom(request, async (room) =>
    call(await fetchedImages(request, signal, network, room)),
  );
}

async function fetchedImages(
  request: ImageEditRequest,
  signal: StopSignal,
  network: PublicNetwork | undefined,
  room: Room | undefined,
): Promise<SentImages> {
  let left = FETCHED_MAX_BYTES;
  const fetched = async (image: GivenImage): Promise<SentFile> => {
    if (!('url' in image)) return image;
    const part = { url: image.url, type: 'image' as const, max: left, room };
    const { bytes, essence } = await fetchPart(part, signal, network).catch(ofImages);
    left -= bytes.length;
    return { bytes, contentType: essence, name: `image.${essence.replace(/^image\//, '')}` };
  };
  const images: SentFile[] = [];
  for (const image of request.images) images.push(await fetched(image));
  return { images, mask: request.mask && (await fetched(request.mask)) };
}

/** The failure, worded for images instead of messages. */
function ofImages(error: unknown): never {
  throw error instanceof UnsupportedError
    ? new UnsupportedError('images', error.message, error.cause)
    : error;
}

interface WantedPart {
  url: string;
  type: Attachment['type'];
  /** The most bytes. */
  max: number;
  room: Room | undefined;
}

async function fetchPart(
  { url: text, type, max, room }: WantedPart,
  signal: StopSignal,
  network: PublicNetwork | undefined,
): Promise<{ bytes: Uint8Array; essence: string }> {
  const inTime = new Deadline(signal, FETCH_SECONDS);
  try {
    let url = checked(URL.parse(text), text);
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      const answer = answerOf(await openPublic(url, inTime, network));
      if (answer.ok) {
        const { essence } = contentTypeOf(answer);
        if (type === 'image' && !essence.startsWith('image/')) {
          answer.discard();
          throw unfetched(`${named(text)} is not an image, by its content type.`);
        }
        return { bytes: await readBytes(inRoom(answer, room), max, inTime), essence };
      }
      answer.discard();
      const location = answer.headers.get('location') ?? '';
      if (answer.status < 300 || answer.status >= 400 || location === '') {
        throw unfetched(`${named(text)} could not be fetched: HTTP ${answer.status}.`);
      }
      url = checked(URL.parse(location, url.href), text);
    }
    throw unfetched(`${named(text)} could not be fetched: too many redirects.`);
  } catch (error) {
    if (error instanceof UnsupportedError) throw error;
    if (signal.aborted) throw abortFailure(signal, false);
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof DomainError) throw new UnsupportedError('messages', cause.message, cause);
    const why = inTime.aborted
      ? `it took more than ${FETCH_SECONDS} s`
      : 'it is out of reach, or too large';
    throw unfetched(`${named(text)} could not be fetched: ${why}.`);
  } finally {
    inTime.clear();
  }
}

/** The answer, reserving memory for each byte as it arrives. */
function inRoom(answer: WireAnswer, room: Room | undefined): WireAnswer {
  const read = async () => {
    const chunk = await answer.read();
    try {
      if (chunk) room?.add(chunk.length * WEIGHT);
    } catch (error) {
      answer.discard();
      throw error;
    }
    return chunk;
  };
  return { ...answer, read };
}

function checked(url: URL | null, text: string): URL {
  if (url && isPublicUrl(url)) return url;
  throw unfetched(`${named(text)} could not be fetched: its address is not public https.`);
}

/** The address without its query, which may contain a signature. */
function named(text: string): string {
  return text.replace(/[?#].*/s, '').slice(0, 150);
}

function unfetched(why: string): UnsupportedError {
  return new UnsupportedError('messages', why);
}
