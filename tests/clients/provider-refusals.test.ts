/** A request that a provider refuses: the caller gets the provider's reason, in each interface. */
import { describe, expect, test } from 'bun:test';
import {
  bodyOf,
  dialects,
  frontNames,
  upstreamNames,
  upstreams,
  type Front,
  type Upstream,
} from '../support/upstreams.ts';
import { expectBooksHold } from '../support/world.ts';

/** An error in the form of each provider. */
const errorOf: Record<Upstream, (message: string) => object> = {
  openai: (message) => ({
    error: { message, type: 'invalid_request_error', param: null, code: null },
  }),
  anthropic: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  gemini: (message) => ({ error: { code: 400, status: 'INVALID_ARGUMENT', message } }),
  ollama: (message) => ({ error: { message, type: 'invalid_request_error' } }),
};
const overflowOf: Record<Upstream, object> = {
  openai: {
    error: {
      code: 'context_length_exceeded',
      type: 'invalid_request_error',
      message:
        "This model's maximum context length is 9000 tokens. However, your messages resulted in 9500 tokens.",
    },
  },
  anthropic: errorOf.anthropic('prompt is too long: 9500 tokens > 9000 maximum'),
  gemini: errorOf.gemini(
    'The input token count (9500) exceeds the maximum number of tokens allowed (9000).',
  ),
  ollama: errorOf.ollama('the input length exceeds the context length'),
};
const pairs = frontNames.flatMap((front) =>
  upstreamNames.map((up): [Front, Upstream] => [front, up]),
);

for (const dialect of dialects) {
  describe(`${dialect}: a request that its provider refuses`, () => {
    const small = { provider: 'openai', max_input_tokens: 9_000, fallbacks: [302, 303, 304] };
    const at = upstreams(dialect, [
      { id: 301, model: 'small', model_alias: 'small', ...small },
      { id: 302, provider: 'openai', model: 'as-small', max_input_tokens: 9_000 },
      { id: 303, provider: 'openai', model: 'large', max_input_tokens: 100_000 },
      { id: 304, provider: 'openai', model: 'larger', max_input_tokens: 200_000 },
    ]);
    const fails = (body: object, status = 400) =>
      at().script(() => ({ status, body: JSON.stringify(body) }));
    const nothingCharged = async () => {
      expect(await at().user.funds()).toMatchObject({ balance: 100_000_000, held: 0 });
      await expectBooksHold(at().world.gateway);
    };

    test.each(pairs)(
      '/v1 %s before %s: is a wrong request with the provider’s sentence',
      async (front, up) => {
        const said = 'messages.0.image: the image is no PNG or JPEG.';
        for (const stream of [false, true]) {
          fails(errorOf[up](said));
          const calls = at().wire.calls.length;
          const { status, headers, body } = await at().post(front, up, {
            ...bodyOf(front),
            stream,
          });
          const { type, message, code } = body['error'] as Record<string, string>;
          expect([status, type, code]).toEqual([400, 'invalid_request_error', 'invalid_request']);
          expect(message).toEndWith(said);
          expect(headers.get('retry-after')).toBeNull();
          expect(at().wire.calls.length).toBe(calls + 1);
        }
        await nothingCharged();
      },
    );

    test.each(pairs)(
      '/v1 %s before %s: an overflow has the code on which clients shorten the conversation',
      async (front, up) => {
        for (const stream of [false, true]) {
          fails(overflowOf[up]);
          const { status, body } = await at().post(front, up, { ...bodyOf(front), stream });
          const { message, code } = body['error'] as Record<string, string>;
          expect([status, code]).toEqual([400, 'context_length_exceeded']);
          if (front !== 'messages') expect(message).toContain('maximum context length');
          else if (up === 'ollama') expect(message).toStartWith('prompt is too long: ');
          else expect(message).toBe('prompt is too long: 9500 tokens > 9000 maximum');
        }
        await nothingCharged();
      },
    );

    test('/v1: what only the operator can fix stays a failure of the provider', async () => {
      fails(errorOf.anthropic('Your credit balance is too low to access the Anthropic API.'));
      const { status, headers, text } = await at().post(
        'messages',
        'anthropic',
        bodyOf('messages'),
      );
      expect([status, headers.get('x-should-retry'), text.includes('credit')]).toEqual([
        502,
        'false',
        false,
      ]);
    });

    test('/ai/send/: is a failure of the provider, as before', async () => {
      for (const body of [errorOf.openai('Bad.'), overflowOf.openai]) {
        fails(body);
        const answer = await at().user.trySend({ ai: 201 });
        expect([answer.status, answer.body.error?.code]).toEqual([502, 'provider_error']);
        expect(JSON.stringify(answer.body)).not.toContain('Bad');
      }
      await nothingCharged();
    });

    test('is not sent to a fallback; an overflow is, to one that takes more', async () => {
      const called = () => at().received.map(({ model }) => model);
      fails(errorOf.openai('Unknown parameter: a.'));
      expect((await at().post('chat', { model: 'small' }, bodyOf('chat'))).status).toBe(400);
      expect(called()).toEqual(['small']);
      at().received.splice(0);
      at().script((_, { model }) =>
        model === 'larger' ? undefined : { status: 400, body: JSON.stringify(overflowOf.openai) },
      );
      expect((await at().post('chat', { model: 'small' }, bodyOf('chat'))).status).toBe(200);
      expect(called()).toEqual(['small', 'large', 'larger']);
    });

    test('in the middle of a stream is reported in the last event', async () => {
      const chunk = { id: 'c', choices: [{ index: 0, delta: { content: 'Hel' } }] };
      at().script(() => ({
        body: `data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify(overflowOf.openai)}\n\n`,
      }));
      const { text } = await at().post('chat', 'openai', { ...bodyOf('chat'), stream: true });
      const last = text.trim().split('data: ').at(-1) ?? '';
      expect(JSON.parse(last)).toMatchObject({ error: { code: 'context_length_exceeded' } });
    });
  });
}

describe('the cap of the output', () => {
  const at = upstreams();
  test('is named as the caller named it', async () => {
    const words = {
      chat: 'max_completion_tokens',
      responses: 'max_output_tokens',
      messages: 'max_tokens',
    } as const;
    const poor = await at().world.user({ credit: 0.1 });
    const headers = { authorization: `Bearer ${poor.token}` };
    for (const front of frontNames) {
      for (const field of front === 'chat' ? ['max_tokens', words.chat] : [words[front]]) {
        const send = (cap: number) =>
          at().post(front, 'openai', { ...bodyOf(front), [field]: cap }, headers);
        const [tooMuch, tooDear] = [await send(9_000), await send(8_000)];
        const messages = [tooMuch, tooDear].map(
          ({ body }) => (body['error'] as { message: string }).message,
        );
        expect([tooMuch.status, tooDear.status]).toEqual([400, 402]);
        expect(messages[0]).toStartWith(`${field}: must be between`);
        expect(messages[1]).toContain(`send ${field} of at most`);
      }
    }
    const rest = await at().post('chat', 'openai', bodyOf('chat'), headers);
    expect(rest.body['warnings']).toEqual([expect.stringMatching(/^max_tokens was lowered/)]);
  });
});
