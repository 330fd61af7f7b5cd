/** Calls of chat completions, for tests. */
import type { Chatter, World } from './world.ts';

type Json = Record<string, unknown>;

/** @param common what each request has, unless it says otherwise */
export function completionsOf(world: () => World, common: Json) {
  const post = ({ token }: Pick<Chatter, 'token'>, body: Json) =>
    world().gateway.fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ model: 'scripted-text', ...common, ...body }),
    });
  /** What the provider was asked last. */
  const asked = (): Json => world().provider.calls.at(-1)?.body ?? {};
  return { post, asked };
}

/** The choices of all chunks of a stream; `T` is what the test expects of them. */
export function streamedChoices<T = Json>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .flatMap((line) => (JSON.parse(line.slice('data: '.length)) as { choices: T[] }).choices);
}
