/** Calls of the Responses API, for tests. */
import { expect } from 'bun:test';
import { lastClosed, type Chatter, type World } from './world.ts';

export type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  body: Json & { id: string; error: Json | null; output: Json[]; data: (Json & { id: string })[] };
}

/** The model's name at the scripted provider. */
export const MODEL = 'scripted-text';
export const weatherCall = { id: 'call_a', name: 'weather', arguments: '{"city":"Ufa"}' };
export const tools = [{ type: 'function', name: 'weather' }];

export const user = (content: string) => ({ role: 'user', content });
export const assistant = (content: string) => ({ role: 'assistant', content });

export function responsesOf(world: () => World) {
  /** @param path below `/v1/responses` */
  async function send(
    { token }: Pick<Chatter, 'token'>,
    method: string,
    path: string,
    body?: Json,
  ): Promise<Answer> {
    const response = await world().gateway.fetch(`/v1/responses${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }
  const create = (who: Chatter, body: Json) =>
    send(who, 'POST', '', { model: MODEL, max_output_tokens: 20, ...body });
  /** A call that must succeed. */
  const created = async (who: Chatter, body: Json) => {
    const { status, body: answer } = await create(who, body);
    expect([status, answer]).toEqual([200, answer]);
    return answer;
  };
  /** The messages of the last request to the provider. */
  const sent = () => world().provider.calls.at(-1)?.body['messages'];
  /**
   * Waits until the newest send has ended.
   * @returns it as the history has it
   */
  const ended = async (who: Chatter) => {
    const room_id = await world().gateway.core.rooms.apiRoom(who.userId);
    return lastClosed(() => who.history({ room_id, include_failed: true }));
  };
  return { send, create, created, sent, ended };
}
