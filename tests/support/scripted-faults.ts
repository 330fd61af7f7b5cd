/** The ways in which a scripted provider can fail, as bytes on the wire. See scripted-provider.ts. */
import type { ServerResponse } from 'node:http';

export const statusFaults = [
  '400',
  '401',
  '403',
  '404',
  '408',
  '409',
  '429',
  '500',
  '502',
  '503',
  '529',
] as const;

export const brokenFaults = [
  'reset',
  'html',
  'empty',
  'bad_json',
  'wrong_type',
  'no_usage',
  'slow_drip',
  'never_answers',
  'cut_body',
  'cut_stream',
  'stream_error_event',
  'error_finish',
  'no_finish',
  'wrong_charset',
  'huge_body',
] as const;

/** `refused` closes the listening port, so it can only be scripted for all calls at once. */
export const faults = ['refused', ...statusFaults, ...brokenFaults] as const;
export type Fault = (typeof faults)[number];
/** The faults that can be scripted for a single call. */
export type CallFault = Exclude<Fault, 'refused'>;

const HUGE_BYTES = 100 * 1024 * 1024;
const DRIP_EVERY_MS = 20;
const CUT_AFTER_MS = 20;
const chunk = Buffer.alloc(64 * 1024, 'a');

/** The good answer that a fault spoils: whole, or as the events of a stream. */
export type GoodAnswer = { body: Record<string, unknown> } | { events: unknown[] };

export function isFault(name: string): name is Fault {
  return faults.some((fault) => fault === name);
}

/** Answers a call with the fault. */
export function answerWithFault(
  response: ServerResponse,
  fault: CallFault,
  good: GoodAnswer,
): void {
  const status = Number(statusFaults.find((name) => name === fault));
  if (status) return sendJson(response, status, errorBody(status));
  const brokenFault = brokenFaults.find((name) => name === fault);
  if (!brokenFault) throw new Error(`no such fault: ${fault}`);
  const streamed = 'events' in good;
  const whole = streamed ? eventText(good.events) : JSON.stringify(good.body);
  const half = whole.slice(0, Math.floor(whole.length / 2));
  const type = streamed ? 'text/event-stream' : 'application/json';
  broken[brokenFault]({ response, good, streamed, type, whole, half });
}

interface Spoiled {
  response: ServerResponse;
  good: GoodAnswer;
  streamed: boolean;
  /** The right content type. */
  type: string;
  /** The good answer as text, and its first half. */
  whole: string;
  half: string;
}

const broken: Record<(typeof brokenFaults)[number], (spoiled: Spoiled) => void> = {
  never_answers: () => undefined,
  reset: ({ response }) => void response.socket?.destroy(),
  html: ({ response }) => send(response, 'text/html', '<!doctype html><h1>It works!</h1>'),
  empty: ({ response, type }) => send(response, type, ''),
  bad_json: ({ response, type, streamed }) =>
    send(response, type, streamed ? 'data: {"id": oops}\n\n' : '{"id": oops}'),
  wrong_type: ({ response, type, streamed }) =>
    send(response, type, streamed ? 'data: {"choices": 7}\n\n' : '{"choices": 7, "data": 7}'),
  no_usage: ({ response, good }) => sendGood(response, withoutUsage(good)),
  no_finish: ({ response, good }) => sendGood(response, withoutFinish(good), { done: false }),
  wrong_charset: ({ response, type, whole }) =>
    send(response, `${type}; charset=windows-1251`, Buffer.from(whole, 'latin1')),
  stream_error_event: ({ response, good, type }) =>
    'events' in good
      ? send(response, type, eventText([good.events[0], errorBody(500)]))
      : sendJson(response, 200, errorBody(500)),
  error_finish: ({ response, good }) => sendGood(response, finishedInError(good)),
  cut_body: ({ response, type, whole, half }) => {
    response.writeHead(200, { 'content-type': type, 'content-length': whole.length + 100 });
    cutAfter(response, half);
  },
  cut_stream: ({ response, good, type, half }) => {
    response.writeHead(200, { 'content-type': type });
    cutAfter(response, 'events' in good ? eventText(good.events.slice(0, 2)) : half);
  },
  slow_drip: ({ response, type }) => {
    response.writeHead(200, { 'content-type': type });
    drip(response);
  },
  huge_body: ({ response, type, streamed }) => {
    response.writeHead(200, { 'content-type': type });
    sendHuge(response, streamed ? 'data: {"id":"' : '{"id":"');
  },
};

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export function sendGood(
  response: ServerResponse,
  good: GoodAnswer,
  options: { done: boolean } = { done: true },
): void {
  if ('body' in good) {
    const { audio } = good.body;
    if (typeof audio === 'string') return send(response, 'audio/mpeg', Buffer.from(audio));
    return sendJson(response, 200, good.body);
  }
  send(response, 'text/event-stream', eventText(good.events) + (options.done ? DONE : ''));
}

const DONE = 'data: [DONE]\n\n';

function eventText(events: readonly unknown[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

function errorBody(status: number): Record<string, unknown> {
  const message = `scripted failure ${status}`;
  return { error: { message, type: 'scripted_error', param: null, code: null } };
}

function send(response: ServerResponse, type: string, body: string | Buffer): void {
  response.writeHead(200, { 'content-type': type });
  response.end(body);
}

function withoutUsage(good: GoodAnswer): GoodAnswer {
  if ('body' in good) return { body: { ...good.body, usage: undefined } };
  return { events: good.events.filter((event) => !hasUsage(event)) };
}

function hasUsage(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'usage' in event;
}

function isFinish(event: unknown): boolean {
  return /"finish_reason":"/.test(JSON.stringify(event));
}

/** A plain answer without a finish reason is complete nevertheless; a list of images stays empty. */
function withoutFinish(good: GoodAnswer): GoodAnswer {
  if ('events' in good) return { events: good.events.slice(0, -2) };
  if ('data' in good.body) return { body: { ...good.body, data: [] } };
  const text = JSON.stringify(good.body).replace(/,?"finish_reason":"[a-z_]+"/, '');
  const body: unknown = JSON.parse(text);
  return { body: body as Record<string, unknown> };
}

/** The answer of an aggregator whose own provider failed half-way: OpenRouter. */
function finishedInError(good: GoodAnswer): GoodAnswer {
  const failed = { index: 0, finish_reason: 'error', ...errorBody(502) };
  if ('events' in good) {
    const choices = [{ ...failed, delta: { content: '' } }];
    return { events: [good.events[0], { object: 'chat.completion.chunk', choices }] };
  }
  if ('data' in good.body) return { body: errorBody(502) };
  return { body: { ...good.body, choices: [{ ...failed, message: { content: 'Half' } }] } };
}

/** Sends the first bytes of a stream and no more. */
export function breakOff(
  response: ServerResponse,
  good: GoodAnswer,
  { part, how }: { part: number; how: 'cut' | 'end' },
): void {
  if (!('events' in good)) throw new Error('only a stream can break off');
  const finish = good.events.findIndex(isFinish);
  const whole = Buffer.from(eventText(good.events.slice(0, finish)));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const first = whole.subarray(0, Math.floor(whole.length * part));
  if (how === 'end') response.end(first);
  else cutAfter(response, first);
}

/** A pause before the cut, since a reader may drop bytes that arrive together with the end. */
function cutAfter(response: ServerResponse, text: string | Buffer): void {
  response.write(text);
  setTimeout(() => response.socket?.destroy(), CUT_AFTER_MS);
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), DRIP_EVERY_MS);
  response.on('close', () => clearInterval(timer));
}

/** Waits for the reader, so that a reader who gives up is noticed. */
function sendHuge(response: ServerResponse, start: string): void {
  let sent = 0;
  const more = (): void => {
    while (sent < HUGE_BYTES && !response.destroyed) {
      sent += chunk.length;
      if (!response.write(chunk)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  response.write(start);
  more();
}
