/** Messages of WebSocket mode that are cheap to send and expensive to read. */
import { JSON_NUMBERS_MAX, JSON_VALUES_MAX } from '../../../src/http/body/scan.ts';
import { letters, message, model, properties, tool } from './bodies.ts';
import { pingFrame, textFrames } from './socket-client.ts';

const MIB = 1024 * 1024;
/** Just below the limit of a message. */
const MESSAGE_MAX_BYTES = 3.9 * MIB;
const SHORT_BYTES = 60_000;
const SENT_TOO_LONG_BYTES = 5 * MIB;

export interface HeavyMessages {
  name: string;
  /** The frames to send. @param previousId the id of the response that the message continues */
  frames: (previousId?: string) => Buffer[];
  /** How often they are sent, each time after the previous answer. */
  times?: number;
  /** Whether the connection is closed without a message. */
  isCut?: boolean;
}

/** @param size 1 for the largest allowed messages; less for a part of that */
export function* heavyMessages(size: number): Generator<HeavyMessages> {
  const bytes = MESSAGE_MAX_BYTES * size;
  const values = JSON_VALUES_MAX * size;
  const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
  const create = (body: object) => JSON.stringify({ type: 'response.create', model, ...body });
  const one = (name: string, body: object): HeavyMessages => {
    const frames = textFrames(create(body));
    return { name, frames: () => frames };
  };
  const input = many(values / 5, message);
  yield one('a text', { input: 'x'.repeat(bytes) });
  yield one('random letters', { input: letters(bytes / 3) });
  yield one('texts', { input });
  yield one('empty inputs', { input: many(values * 0.9, {}) });
  yield one('numbers', { input: many(JSON_NUMBERS_MAX * size * 0.9, 1) });
  const tools = [tool('f', properties(values / 3))];
  yield one('a tool of many properties', { input: 'x', tools });
  const idle = { generate: false, store: false };
  yield one('texts without an answer', { ...idle, input });
  yield one('empty inputs without an answer', { ...idle, input: many(values * 0.9, {}) });
  yield one('letters without an answer', { ...idle, input: letters(bytes / 3) });
  const continued = (previousId?: string) =>
    textFrames(
      create({ ...idle, input: many(values / 20, message), previous_response_id: previousId }),
    );
  yield { name: 'a growing conversation', frames: continued, times: 5 };
  yield { name: 'brackets', frames: () => textFrames('['.repeat(bytes)) };
  const slow = textFrames(create({ input: 'x'.repeat(bytes / 16) }), 1);
  yield { name: 'frames of a byte', frames: () => slow };
  const short = textFrames(create({ input: many(SHORT_BYTES / 3, []) }));
  yield { name: 'short messages', frames: () => many(50, short).flat() };
  const pings = [...many(20_000 * size, pingFrame()), ...textFrames('{}')];
  yield { name: 'pings', frames: () => pings };
  const tooLong = textFrames('x'.repeat(SENT_TOO_LONG_BYTES));
  yield { name: 'more than may be sent', frames: () => tooLong, isCut: true };
}
