/** A test double of a provider that bills its answers and refusals, and keeps a log of the bills. */
import type { Used } from './price-list.ts';

/** The outcome of a message; its text begins with the name. */
export const fates = ['good', 'over', 'refused', 'broken', 'falls'] as const;
export type Fate = (typeof fates)[number];

/** A call that the provider bills. */
export interface Billed {
  message: string;
  model: string;
  used: Used;
  isAnswer: boolean;
}

const HTTP_BROKEN = 500;
const TEXT = 'An answer of some words.';
/** Above any cap of the month. */
const OVER = 5_000;

/** Different for each message. */
function usageFor(message: string): Used {
  const mixed = Bun.hash.crc32(message);
  const prompt = 10 + (mixed % 40);
  const completion = 1 + ((mixed >>> 6) % 90);
  return {
    prompt,
    cached: (mixed >>> 12) % prompt,
    completion: message.startsWith('over') ? OVER + completion : completion,
    reasoning: (mixed >>> 18) % completion,
  };
}

export function startBillingProvider() {
  const billed: Billed[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = (await request.json()) as {
        model: string;
        messages: { content: string }[];
        stream?: boolean;
      };
      const message = String(body.messages.at(-1)?.content);
      const { model, stream } = body;
      const isBroken = message.startsWith('broken');
      if (isBroken || (message.startsWith('falls') && model === 'falling')) {
        return Response.json({ error: { message: 'scripted' } }, { status: HTTP_BROKEN });
      }
      const isAnswer = !message.startsWith('refused');
      const used = usageFor(message);
      billed.push({ message, model, used, isAnswer });
      const finish = isAnswer ? 'stop' : 'content_filter';
      const parts = { text: isAnswer ? TEXT : '', finish, usage: wireUsage(used) };
      return stream ? streamed(parts) : whole(parts);
    },
  });
  const baseUrl = `http://127.0.0.1:${server.port}/v1`;
  return { baseUrl, billed, stop: () => server.stop(true) };
}

function wireUsage({ prompt, cached, completion, reasoning }: Used) {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

interface Parts {
  text: string;
  finish: string;
  usage: object;
}

function whole({ text, finish, usage }: Parts): Response {
  const message = { role: 'assistant', content: text };
  return Response.json({ choices: [{ index: 0, finish_reason: finish, message }], usage });
}

function streamed({ text, finish, usage }: Parts): Response {
  const events = [
    { choices: [{ index: 0, delta: { content: text }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    { choices: [], usage },
  ].map((event) => `data: ${JSON.stringify(event)}\n\n`);
  return new Response(`${events.join('')}data: [DONE]\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  });
}
