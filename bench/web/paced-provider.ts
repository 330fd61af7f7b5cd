/** Pieces of an answer, and how many come in a second. */
export const PIECES = 1_000;
export const PIECES_A_SECOND = 200;
/** Its only model. */
export const PACED = 'paced';

const chunk = (delta: object, finish_reason: string | null) =>
  `data: ${JSON.stringify({ id: 'a', model: PACED, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

async function* pieces() {
  const start = performance.now();
  for (let piece = 1; piece <= PIECES; piece++) {
    const wait = start + (piece * 1_000) / PIECES_A_SECOND - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    yield chunk({ content: ` piece${piece}.` }, null);
  }
  yield `${chunk({}, 'stop')}data: [DONE]\n\n`;
}

/** A model that sends its pieces at an even pace if a stream is requested. */
export function pacedProvider(): Disposable & { url: string } {
  const message = { role: 'assistant', content: 'one' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      if (request.method === 'GET')
        return Response.json({ data: [{ id: PACED, object: 'model' }] });
      const { stream } = (await request.json()) as { stream?: boolean };
      return stream
        ? new Response(pieces, { headers: { 'content-type': 'text/event-stream' } })
        : Response.json({
            id: 'a',
            choices: [{ index: 0, message, finish_reason: 'stop' }],
            usage,
          });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    [Symbol.dispose]: () => void server.stop(true),
  };
}
