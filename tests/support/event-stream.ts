/** Reads `text/event-stream`, for tests. */

export interface SentEvent {
  event: string;
  data: Record<string, unknown>;
}

/** The events of a response, each as soon as it arrives. Leaving the loop disconnects. */
export async function* eventsOf(response: Response): AsyncGenerator<SentEvent> {
  if (!response.body) throw new Error('the response has no body');
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    yield* blocks.filter((block) => !block.startsWith(':')).map(parse);
  }
  if (text !== '') throw new Error(`the stream ended within an event: ${text}`);
}

function parse(block: string): SentEvent {
  const match = /^event: ([\w.]+)\ndata: (.*)$/.exec(block);
  if (!match) throw new Error(`this is no event: ${block}`);
  return { event: match[1] ?? '', data: JSON.parse(match[2] ?? '') as Record<string, unknown> };
}

export function allEvents(response: Response): Promise<SentEvent[]> {
  return Array.fromAsync(eventsOf(response));
}
