/**
 * A test double of an OpenAI-compatible provider that keeps a journal of what it was asked and what it
 * answered, so that it can be compared with the ledger.
 */
export interface JournalProvider {
  baseUrl: string;
  /** How often each message was asked for. */
  asked: Map<string, number>;
  /** Calls that are being worked on. */
  working: () => number;
  stop(): Promise<void>;
}

export const PROMPT_TOKENS = 10;
export const COMPLETION_TOKENS = 20;

/** The answer that belongs to a message: whoever holds it can tell that it is the right one. */
export function answerTo(message: string): string {
  return `answer to ${message}`;
}

/** @param delayMs how long a call takes; called once a call */
export function startJournalProvider(delayMs: () => number): JournalProvider {
  const asked = new Map<string, number>();
  let working = 0;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = (await request.json()) as { messages: { content: string }[] };
      const message = body.messages.at(-1)?.content ?? '';
      asked.set(message, (asked.get(message) ?? 0) + 1);
      working++;
      await Bun.sleep(delayMs());
      working--;
      return Response.json({
        id: `journal-${message}`,
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            finish_reason: 'stop',
            message: { role: 'assistant', content: answerTo(message) },
          },
        ],
        usage: {
          prompt_tokens: PROMPT_TOKENS,
          completion_tokens: COMPLETION_TOKENS,
          total_tokens: PROMPT_TOKENS + COMPLETION_TOKENS,
        },
      });
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    asked,
    working: () => working,
    stop: () => server.stop(true),
  };
}

/** A catalogue of one priced model, id 101, at this provider. */
export function catalogueFor(baseUrl: string): string {
  return `
sandbox: off
providers:
  journal:
    kind: openai
    base_url: ${baseUrl}
    timeout_seconds: 30
models:
  - id: 101
    provider: journal
    model: journal-model
    type: TEXT
    max_input_tokens: 10000
    max_output_tokens: 1000
    cost_input_tokens_rub: 100
    cost_output_tokens_rub: 1000
    cost_input_fix_rub: 0.5
    cost_output_fix_rub: 0.25
`;
}
