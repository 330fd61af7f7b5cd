/** Calls of chat completions, for tests. */
import type { Chatter, World } from './world.ts';

type Json = Record<string, unknown>;

/** @param common the fields of each request, unless the request overrides them */
export function completionsOf(world: () => World, common: Json) {
  const post = ({ token }: Pick<Chatter, 'token'>, body: Json) =>
    world().gateway.fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ model: 'scripted-text', ...common, ...body }),
    });
  /** The last request to the provider. */
  const lastRequest = (): Json => world().provider.calls.at(-1)?.body ?? {};
  return { post, lastRequest };
}

/** The choices of all chunks of a stream; `T` is the type that the test expects. */
export function streamedChoices<T = Json>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .flatMap((line) => (JSON.parse(line.slice('data: '.length)) as { choices: T[] }).choices);
}
