/** The events of an answer in the background do not depend on how its provider split it. */
import { describe, expect, test } from 'bun:test';
import { assert, array, constantFrom, integer, property, string, tuple } from 'fast-check';
import { EvenEvents, partEvents } from '../../src/http/openai/responses/even-events.ts';
import type { ResponseEvent } from '../../src/http/openai/responses/stream-items.ts';
import type { ReasoningSeal } from '../../src/chat/index.ts';
import { PartialAnswer } from '../../src/chat/send/stream-progress.ts';

type Part = Extract<ResponseEvent, { type: 'delta' | 'reasoning' | 'tool_call' }>;

const error = { type: 'error' } as ResponseEvent;

function even(events: Iterable<ResponseEvent>): ResponseEvent[] {
  const made = new EvenEvents();
  const all = [...events, error].flatMap((event) => [...made.take(event)]);
  // The stored events: calls in order, without the provider's own indexes.
  return all.map((event) => (event.type === 'tool_call' ? { ...event, index: 0 } : event));
}

/** The stored events of an answer that arrived in these parts, as a stream. */
function stored(parts: readonly Part[]): ResponseEvent[] {
  const answer = new PartialAnswer();
  for (const part of parts) {
    answer.add(part.type === 'delta' ? { type: 'text', text: part.text } : part);
  }
  const { text: response, toolCalls, reasoning } = answer;
  return [...partEvents({ response, toolCalls, reasoning })];
}

function deltas(texts: readonly string[]): Part[] {
  return texts.map((text) => ({ type: 'delta', text }));
}

const word = string({ unit: constantFrom(' ', 'a', '界', '🦦', '\n'), maxLength: 60 });
const seal: ReasoningSeal = { by: 'anthropic', signature: 'signed' };
const part = tuple(integer({ min: 0, max: 9 }), word).map(partOf);

function partOf([kind, text]: [number, string]): Part {
  if (kind < 6) return { type: 'delta', text: `${text}.` };
  if (kind < 8) return { type: 'reasoning', text: `${text}.`, seal: kind === 7 ? seal : undefined };
  return { type: 'tool_call', index: kind, id: `call_${kind}`, name: 'f', arguments: text };
}

/**
 * Leaves out pieces of calls that follow later reasoning: the stored answer has each call whole, before that reasoning.
 */
function withWholeCalls(parts: readonly Part[]): Part[] {
  const begun = new Set<number>();
  let over = new Set<number>();
  return parts.filter((one) => {
    if (one.type === 'reasoning') over = new Set(begun);
    if (one.type !== 'tool_call') return true;
    begun.add(one.index);
    return !over.has(one.index);
  });
}

describe('the events of an answer in the background', () => {
  test('are cut at spaces, into at most 48 units, and add up', () => {
    assert(
      property(array(word), (texts) => {
        const pieces = even(deltas(texts)).slice(0, -1) as Extract<Part, { type: 'delta' }>[];
        expect(pieces.map(({ text }) => text).join('')).toBe(texts.join(''));
        for (const { text } of pieces) {
          expect(text.length).toBeLessThanOrEqual(48);
          expect(text.isWellFormed()).toBe(true);
        }
        for (const [at, { text }] of pieces.slice(1).entries()) {
          const before = pieces[at]?.text ?? '';
          if (before.length < 47) expect(text).toMatch(/^[ \n]/);
          expect(before.length).toBeGreaterThanOrEqual(24);
        }
      }),
    );
  });

  test('are the same when the stored answer is streamed', () => {
    assert(
      property(array(part), (parts) => {
        const possible = withWholeCalls(parts);
        expect(even(stored(possible))).toEqual(even(possible));
      }),
    );
  });
});
