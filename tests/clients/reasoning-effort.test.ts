/** The default fields of agents for reasoning and verbosity reach every provider, or are named in a warning. */
import { describe, expect, test } from 'bun:test';
import {
  bodyOf,
  frontNames,
  upstreamNames,
  upstreams,
  type Front,
  type Upstream,
} from '../support/upstreams.ts';

type Json = Record<string, unknown>;
const at = upstreams();

/** The fields with which each interface requests a low effort and short answers. */
const low: Record<Front, Json> = {
  chat: { reasoning_effort: 'low', verbosity: 'low' },
  responses: { reasoning: { effort: 'low' }, text: { verbosity: 'low' } },
  messages: { thinking: { type: 'enabled', budget_tokens: 1_024 }, max_tokens: 4_000 },
};
/** The resulting fields at each provider. */
const sent: Record<Upstream, object> = {
  openai: { reasoning_effort: 'low' },
  anthropic: { output_config: { effort: 'low' } },
  gemini: { generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' } } },
  ollama: { reasoning_effort: 'low' },
};
const pairs = frontNames.flatMap((front) =>
  upstreamNames.map((up): [Front, Upstream] => [front, up]),
);

describe('a low effort', () => {
  test.each(pairs)('/v1 %s before %s', async (front, up) => {
    for (const stream of [false, true]) {
      const { status, text, body } = await at().post(front, up, {
        ...bodyOf(front),
        ...low[front],
        stream,
      });
      expect([status, text]).toEqual([200, text]);
      const isSame = front === 'messages' && up === 'anthropic';
      const expected = isSame ? { thinking: low.messages['thinking'] } : sent[up];
      expect(at().received.at(-1)).toMatchObject(expected);
      const named =
        front === 'messages' ? [] : ['This provider does not support verbosity. It was left out.'];
      if (!stream) expect(body['warnings'] ?? []).toEqual(named);
      else expect(text.includes('does not support verbosity')).toBe(named.length > 0);
    }
  });
});

test.each(upstreamNames)('reasoning that the caller disables is disabled at %s', async (up) => {
  const { status } = await at().post('messages', up, {
    ...bodyOf('messages'),
    thinking: { type: 'disabled' },
  });
  expect(status).toBe(200);
  expect(at().received.at(-1)).toMatchObject(
    {
      openai: {},
      anthropic: { thinking: { type: 'disabled' } },
      gemini: { generationConfig: { thinkingConfig: { thinkingLevel: 'MINIMAL' } } },
      ollama: { reasoning_effort: 'none' },
    }[up],
  );
});

test('a hint that the provider refuses is omitted, and the call repeated; the next call omits it', async () => {
  const message = 'the model "llama" does not support thinking';
  at().script((_, body) =>
    body['reasoning_effort'] === undefined
      ? undefined
      : { status: 400, body: JSON.stringify({ error: { message } }) },
  );
  for (const stream of [false, true]) {
    const { status, text } = await at().post('chat', 'ollama', {
      ...bodyOf('chat'),
      reasoning_effort: 'high',
      stream,
    });
    expect([status, text.includes('refuses the reasoning_effort high')]).toEqual([200, true]);
  }
  expect(at().received.map((body) => body['reasoning_effort'])).toEqual([
    'high',
    undefined,
    undefined,
  ]);
});

test('a wrong value is refused by name', async () => {
  const wrong: [Front, string, Json][] = [
    ['messages', 'thinking.type', { thinking: { type: 'deep' } }],
    ['messages', 'thinking.budget_tokens', { thinking: { type: 'enabled', budget_tokens: 0 } }],
    ['chat', 'verbosity', { verbosity: 'endless' }],
    ['responses', 'text.verbosity', { text: { verbosity: 'endless' } }],
  ];
  for (const [front, field, change] of wrong) {
    const { status, text } = await at().post(front, 'openai', { ...bodyOf(front), ...change });
    expect([status, text.includes(field)]).toEqual([400, true]);
  }
});
