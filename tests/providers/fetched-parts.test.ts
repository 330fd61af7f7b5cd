/** Images and files given by address are fetched for providers that need their bytes. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { toCallerError } from '../../src/chat/send/fail.ts';
import { BodyBudget } from '../../src/http/body/budget.ts';
import { AddressGuard } from '../../src/lib/network/addresses.ts';
import { KeptCalls } from '../../src/providers/openai/kept-calls.ts';
import { responsesBody } from '../../src/providers/openai/responses/request.ts';
import { withFetchedParts } from '../../src/providers/shared/fetched-parts.ts';
import { bytesOfFile, textOfFile, withAttachmentsMoved } from '../../src/providers/shared/parts.ts';
import { openPublic } from '../../src/providers/shared/public-get.ts';
import type { Message, TextRequest, UserPart } from '../../src/providers/spec.ts';
import { parseFetchAllow } from '../../src/trust/index.ts';
import { certificate, key, listenOn } from '../support/servers.ts';
import { providerErrorOf, running, textRequest } from './fixtures.ts';

const MIB = 1024 * 1024;
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
const data = `data:image/png;base64,${PNG.toBase64()}`;
let server: Server;
let origin: string;
let requestedPaths: string[] = [];
let answer: RequestListener;
const png: RequestListener = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);

beforeAll(async () => {
  server = createServer({ key, cert: certificate }, (request, response) => {
    requestedPaths.push(request.url ?? '');
    answer(request, response);
  });
  origin = `https://www.secure.example:${await listenOn(server, '127.0.0.1')}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Loopback stands for the internet. */
const allowed = {
  guard: new AddressGuard(parseFetchAllow('127.0.0.1')),
  resolver: async () => ['127.0.0.1'],
  ca: [certificate],
};
const strict = { ...allowed, guard: new AddressGuard([]) };

const requestOf = (...content: UserPart[]): TextRequest => ({
  ...textRequest,
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'tool', toolCallId: 'call_1', content },
  ],
});
const picture = (path = '/a.png?sig=secret'): UserPart => ({ type: 'image', url: origin + path });
const sent = (request: TextRequest) => Promise.resolve(request);
const fetched = (request: TextRequest, network = allowed) => {
  requestedPaths = [];
  return withFetchedParts(request, running(), { needsBytes: () => true, network }, sent);
};

test('a request without addresses is the same object, and nothing is fetched', async () => {
  const request = requestOf({ type: 'image', url: data }, { type: 'text', text: origin });
  expect(await fetched(request)).toBe(request);
  const unwanted = requestOf(picture());
  const none = { needsBytes: () => false };
  expect(await withFetchedParts(unwanted, running(), none, sent)).toBe(unwanted);
});

test('an address is replaced by its bytes, once for all its places', async () => {
  answer = png;
  const { messages } = await fetched(requestOf(picture(), picture(), { type: 'text', text: 'a' }));
  const replaced = { type: 'image', url: data };
  expect(messages[1]?.content).toMatchObject([replaced, replaced, { type: 'text', text: 'a' }]);
  expect(requestedPaths).toEqual(['/a.png?sig=secret']);
});

test('a redirect is followed, and checked like the first address', async () => {
  answer = (request, response) => {
    if (request.url === '/b.png') return png(request, response);
    response.writeHead(302, { location: '/b.png' }).end();
  };
  const { messages } = await fetched(requestOf(picture('/a.png')));
  expect(messages[1]?.content).toMatchObject([{ url: data }]);
  for (const location of [
    'http://www.secure.example/b.png',
    'https://localhost/b.png',
    'file:///etc/passwd',
  ]) {
    answer = (_request, response) => void response.writeHead(302, { location }).end();
    const error = await providerErrorOf(() => fetched(requestOf(picture('/a.png'))));
    expect(error.message).toContain('its address is not public https');
  }
  answer = (_request, response) => void response.writeHead(302, { location: '/again' }).end();
  const error = await providerErrorOf(() => fetched(requestOf(picture('/a.png'))));
  expect(error.message).toContain('too many redirects');
});

test('if an address cannot be fetched, the caller must change it: it is named, without its query', async () => {
  const cases: [RequestListener, string][] = [
    [(_request, response) => void response.writeHead(404).end(), 'HTTP 404'],
    [
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end('x'),
      'is not an image',
    ],
    [(request) => void request.socket.destroy(), 'out of reach'],
  ];
  for (const [listener, why] of cases) {
    answer = listener;
    const error = await providerErrorOf(() => fetched(requestOf(picture())));
    expect(error).toMatchObject({ fault: 'unsupported', field: 'messages', accepted: false });
    expect(error.message).toContain(why);
    expect([error.message.includes('/a.png'), error.message.includes('secret')]).toEqual([
      true,
      false,
    ]);
  }
});

test('a name that leads to a private address is not connected to', async () => {
  answer = png;
  const error = await providerErrorOf(() => fetched(requestOf(picture()), strict));
  expect(error).toMatchObject({ fault: 'unsupported', accepted: false });
  expect(requestedPaths).toEqual([]);
});

test('all together may have as many bytes as a request', async () => {
  answer = (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'image/png' })
      .end(Buffer.alloc(17 * 1024 * 1024));
  const error = await providerErrorOf(() => fetched(requestOf(picture('/1'), picture('/2'))));
  expect(error.message).toContain('too large');
  expect(requestedPaths).toEqual(['/1', '/2']);
});

test('fetched bytes count in the budget of bodies until the call has begun to answer', async () => {
  const budget = new BodyBudget(64 * MIB);
  const reserve = () => budget.reserve(1, '192.0.2.1');
  answer = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(3 * MIB));
  const options = { needsBytes: () => true, network: allowed };
  const taken = await withFetchedParts(
    { ...requestOf(picture()), reserve },
    running(),
    options,
    async () => budget.bytes,
  );
  expect([taken, budget.bytes]).toEqual([12 * MIB, 0]);
  // Another request takes a part of the user's quarter, 16 MiB: the fetched body does not fit, and reading stops.
  const other = reserve();
  other.add(6 * MIB);
  const error = await providerErrorOf(() =>
    withFetchedParts({ ...requestOf(picture()), reserve }, running(), options, sent),
  );
  expect(error).toMatchObject({ fault: 'unsupported', accepted: false });
  expect(toCallerError(error)).toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
  expect(budget.bytes).toBe(6 * MIB);
});

test('a caller that stops the call stops the fetch', async () => {
  const stopped = AbortSignal.abort(new Error('left'));
  const error = await providerErrorOf(() =>
    withFetchedParts(
      requestOf(picture()),
      stopped,
      { needsBytes: () => true, network: allowed },
      sent,
    ),
  );
  expect(error).toMatchObject({ fault: 'failed', accepted: false });
});

test('a port other than that of https is opened only if the operator allows it', async () => {
  const open = { guard: new AddressGuard([]), resolver: async () => ['93.184.216.34'] };
  const opening = openPublic(new URL('https://www.secure.example:8443/'), running(), open);
  expect(await opening.catch(String)).toContain('its port 8443 is not that of https');
});

test('a guarded GET returns a response other than 200 without its body', async () => {
  answer = (_request, response) => void response.writeHead(418).end('tea');
  const response = await openPublic(new URL(`${origin}/`), running(), allowed);
  expect([response.status, await response.text()]).toEqual([418, '']);
});

test("images of several results stand together after them, and before the user's next message", () => {
  const result = (toolCallId: string, ...content: UserPart[]): Message => ({
    role: 'tool',
    toolCallId,
    content,
  });
  const text = (words: string): UserPart => ({ type: 'text', text: words });
  const one: UserPart = { type: 'image', url: data };
  const moved = withAttachmentsMoved([
    { role: 'user', content: 'q' },
    result('1', text('a'), text('b')),
    result('2', one, one),
    result('3', text('c'), one),
    { role: 'assistant', content: 'seen' },
    result('4', one),
  ]);
  const from = (id: string) => text(`From the result of the tool call ${id}:`);
  expect(moved).toMatchObject([
    { role: 'user', content: 'q' },
    { role: 'tool', content: 'ab' },
    { role: 'tool', content: '[2 attachments are in the next message]' },
    { role: 'tool', content: 'c\n[1 attachment is in the next message]' },
    { role: 'user', content: [from('2'), one, one, from('3'), one] },
    { role: 'assistant', content: 'seen' },
    { role: 'tool', content: '[1 attachment is in the next message]' },
    { role: 'user', content: [from('4'), one] },
  ]);
  const plain: Message[] = [{ role: 'tool', toolCallId: '1', content: 'a' }];
  expect(withAttachmentsMoved(plain)).toBe(plain);
});

test('a text in a file is read as text, other files by their bytes', () => {
  const file = (mediaType: string, text: string) => ({
    type: 'file' as const,
    url: `data:${mediaType};base64,${Buffer.from(text).toString('base64')}`,
    name: 'f',
  });
  for (const type of [
    'text/csv',
    'application/json',
    'text/plain;charset=utf-8',
    'image/svg+xml',
  ]) {
    expect(textOfFile(file(type, 'число'))).toBe('f:\nчисло');
  }
  expect(textOfFile(file('application/pdf', 'x'))).toBeUndefined();
  expect(bytesOfFile(file('application/pdf', 'x'))).toEqual({
    mediaType: 'application/pdf',
    base64: 'eA==',
  });
  expect(() => bytesOfFile({ type: 'file', url: 'https://a.example/b.pdf' })).toThrow('data: URL');
});

test("OpenAI's Responses API has images and files in the results of tools", () => {
  const file = `data:application/pdf;base64,eA==`;
  const request = requestOf(
    { type: 'text', text: 'a' },
    { type: 'image', url: data, detail: 'original' },
    { type: 'file', url: file },
    { type: 'file', url: 'https://a.example/b.pdf' },
  );
  const { body } = responsesBody(request, false, { calls: new KeptCalls() });
  expect((body['input'] as object[]).at(-1)).toMatchObject({
    type: 'function_call_output',
    output: [
      { type: 'input_text', text: 'a' },
      { type: 'input_image', image_url: data, detail: 'original' },
      { type: 'input_file', filename: 'file.pdf', file_data: file },
      { type: 'input_file', file_url: 'https://a.example/b.pdf' },
    ],
  });
});
