import { talks } from './talks.ts';

const answers = new Map(
  talks.flatMap(({ turns }) => turns.map(({ request, response }) => [request, response] as const)),
);
const otherwise =
  'Three things were decided: the order goes out on Monday, the price stays, and Maria writes to the printer. ' +
  'Open is who pays for the transport.';

/** The approximate number of tokens of a text, as most models count them. */
const tokensOf = (text: string) => Math.ceil(text.length / 4);

interface Asked {
  model: string;
  messages: { content: string }[];
}

/** A server of OpenAI's chat completions on loopback, with the answers of `talks`. */
export function openProvider(): AsyncDisposable & { url: string } {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { model, messages } = (await request.json()) as Asked;
      const content = answers.get(messages.at(-1)?.content ?? '') ?? otherwise;
      const prompt_tokens = messages.reduce((sum, one) => sum + tokensOf(one.content), 0);
      const completion_tokens = tokensOf(content);
      return Response.json({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        model,
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: {
          prompt_tokens,
          completion_tokens,
          total_tokens: prompt_tokens + completion_tokens,
        },
      });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
