/** Streams of background responses that are read again: from the first event or after one, on any node. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { eventsOf as sentEventsOf } from '../support/event-stream.ts';
import { failure } from '../support/failure.ts';
import { openGateway, type Gateway } from '../support/gateway.ts';
import {
  MODEL,
  responsesOf,
  tools,
  weatherCall,
  type Answer,
  type Json,
} from '../support/responses.ts';
import { catalogueOf, expectBooksHold, sharedWorld, type Chatter } from '../support/world.ts';

const FIRST = 'The first half of the answer, which is long enough to be sent on,';
const WHOLE = `${FIRST} and the second half of it, which is not.`;
const half = { deltas: [FIRST, WHOLE.slice(FIRST.length)], pauseAfterFirst: true };
const background = { model: MODEL, input: 'Hi', background: true };

type Event = Json & { type: string; sequence_number: number; response: Answer['body'] };

/** Leaving the loop disconnects. */
async function* eventsOf(response: Response): AsyncGenerator<Event> {
  for await (const { data } of sentEventsOf(response)) yield data as Event;
}

const allOf = (response: Response) => Array.fromAsync(eventsOf(response));

/** The fields that are the same in every stream of a response. */
const facts = (events: readonly Event[]) =>
  events.map((event): Record<string, unknown> => ({ ...event, response: undefined }));

for (const dialect of dialects) {
  describe(`${dialect}: the stream of a background response`, () => {
    const world = sharedWorld(dialect);
    const { send, created, ended } = responsesOf(world);
    // An answer shows that the model has no hidden reasoning, so it is stopped at once.
    beforeAll(async () => void (await (await world().user()).send()));

    const post = (who: Chatter, more: object = {}) =>
      world().gateway.fetch('/v1/responses', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${who.token}` },
        body: JSON.stringify({ ...background, stream: true, ...more }),
      });
    const again = (who: Chatter, id: string, query = '', gateway: Gateway = world().gateway) =>
      gateway.fetch(`/v1/responses/${id}?stream=true${query}`, {
        headers: { authorization: `Bearer ${who.token}` },
      });
    /** Another node on the same database. */
    const besides = ({ database }: Gateway) =>
      openGateway(dialect, { database, catalogue: catalogueOf(world().provider) });
    /** Begins one, reads its stream up to the first piece of text, and leaves. */
    const begin = async (who: Chatter) => {
      const seen: Event[] = [];
      for await (const event of eventsOf(await post(who))) {
        seen.push(event);
        if (event.type === 'response.output_text.delta') break;
      }
      return { id: seen[0]?.response.id ?? '', seen };
    };

    test('shows that it is queued until a model answers', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script('hold');
      const held = provider.held(1);
      const events = eventsOf(await post(alice));
      const first = [(await events.next()).value, (await events.next()).value] as Event[];
      expect(first.map(({ type, response }) => [type, response.status])).toEqual([
        ['response.created', 'queued'],
        ['response.queued', 'queued'],
      ]);
      const id = first[0]?.response.id ?? '';
      expect((await send(alice, 'GET', `/${id}`)).body).toMatchObject({ status: 'queued' });
      await held;
      provider.release();
      const [next, ...rest] = await Array.fromAsync(events);
      expect(next).toMatchObject({
        type: 'response.in_progress',
        response: { status: 'in_progress' },
      });
      expect(rest.at(-1)).toMatchObject({
        type: 'response.completed',
        response: { id, status: 'completed' },
      });
      await provider.script('good');
    });

    test('continues after any of its events, while the answer is made and later', async () => {
      const { provider, user, gateway } = world();
      const alice = await user();
      await provider.script(half);
      const { id, seen } = await begin(alice);
      const last = seen.at(-1)?.sequence_number ?? 0;
      const follower = eventsOf(await again(alice, id));
      for (const event of facts(seen)) {
        expect(facts([(await follower.next()).value as Event])).toEqual([event]);
      }
      const resumed = again(alice, id, `&starting_after=${last}`);
      provider.release();
      const rest = await allOf(await resumed);
      expect(facts(await Array.fromAsync(follower))).toEqual(facts(rest));
      const whole = [...seen, ...rest];
      expect(whole.map(({ sequence_number: number }) => number)).toEqual(whole.map((_, at) => at));
      expect(whole.map(({ delta = '' }) => delta).join('')).toBe(WHOLE);
      await ended(alice);
      const later = await allOf(await again(alice, id));
      expect(facts(later)).toEqual(facts(whole));
      expect(later.at(-1)?.response).toEqual(rest.at(-1)?.response as Answer['body']);
      for (const { sequence_number: number } of whole) {
        const tail = await allOf(await again(alice, id, `&starting_after=${number}`));
        expect(facts(tail)).toEqual(facts(whole.slice(number + 1)));
      }
      expect(await alice.charges()).toHaveLength(1);
      await provider.script('good');
      await expectBooksHold(gateway);
    });

    test('has calls and reasoning under the same numbers later', async () => {
      const { provider, user } = world();
      const alice = await user();
      const other = { id: 'call_b', name: 'weather', arguments: '{"city":"Omsk"}' };
      await provider.script({
        reasoning: ['I think of ', 'the weather in two towns, at some length.'],
        deltas: ['Let me ', 'look.'],
        toolCalls: [weatherCall, other],
      });
      const more = { tools, reasoning: { effort: 'low', summary: 'auto' } };
      const first = await allOf(await post(alice, more));
      await provider.script('good');
      const types = first.map(({ type }) => type);
      expect(types).toContain('response.reasoning_summary_text.delta');
      expect(types).toContain('response.function_call_arguments.delta');
      const id = first[0]?.response.id ?? '';
      expect(facts(await allOf(await again(alice, id)))).toEqual(facts(first));
    });

    test('that failed ends with its failure, whatever came before', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script(half);
      const held = provider.held(1);
      const first = await post(alice);
      await held;
      provider.cut();
      const seen = await allOf(first);
      expect(seen.slice(-2).map(({ type }) => type)).toEqual(['error', 'response.failed']);
      const { id } = seen[0]?.response ?? { id: '' };
      for (const query of ['', `&starting_after=${seen.length + 5}`]) {
        const events = await allOf(await again(alice, id, query));
        expect(events.slice(-2)).toMatchObject([
          { type: 'error', error: { code: 'provider_error' } },
          { type: 'response.failed', response: { id, status: 'failed' } },
        ]);
        const numbers = events.map(({ sequence_number: number }) => number);
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      }
      expect(await alice.charges()).toEqual([]);
      await provider.script('good');
    });

    test('that is cancelled says so to those who follow it, and later', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script(half);
      const { id, seen } = await begin(alice);
      const follower = await again(alice, id, `&starting_after=${seen.at(-1)?.sequence_number}`);
      const cancel = async () => (await send(alice, 'POST', `/${id}/cancel`)).body;
      while ((await cancel())['status'] === 'in_progress');
      provider.release();
      const rest = await allOf(follower);
      const end = {
        type: 'response.incomplete',
        response: { id, status: 'cancelled', incomplete_details: null },
      };
      expect(rest.at(-1)).toMatchObject(end);
      const later = await allOf(await again(alice, id));
      expect(facts(later)).toEqual(facts([...seen, ...rest]));
      expect(later.at(-1)).toMatchObject(end);
      await provider.script('good');
    });

    test('is refused for a response without a stream, and to other users', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script('good');
      const plain = await created(alice, { input: 'Hi' });
      const done = await created(alice, background);
      await ended(alice);
      const refusals: [string, string, number, string | null][] = [
        [plain.id, '', 400, 'stream'],
        [done.id, '&starting_after=-1', 400, 'starting_after'],
        [done.id, '&starting_after=x', 400, 'starting_after'],
        ['resp_1', '', 404, null],
      ];
      for (const [id, query, status, param] of refusals) {
        const answer = await again(alice, id, query);
        const { error } = (await answer.json()) as { error: Json };
        expect([query, answer.status, error['param']]).toEqual([query, status, param]);
      }
      expect((await again(await user(), done.id)).status).toBe(404);
      expect((await world().gateway.fetch(`/v1/responses/${done.id}?stream=true`)).status).toBe(
        401,
      );
      const head = await world().gateway.fetch(`/v1/responses/${done.id}?stream=true`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${alice.token}` },
      });
      expect(head.headers.get('content-type')).toStartWith('text/event-stream');
    });

    // A database of SQLite has one node.
    if (dialect === 'sqlite') return;

    test('that another node makes is shown when it has ended', async () => {
      const { provider, user, gateway } = world();
      const alice = await user();
      await provider.script(half);
      const { id, seen } = await begin(alice);
      await using other = await besides(gateway);
      const last = seen.at(-1)?.sequence_number ?? 0;
      const events = eventsOf(await again(alice, id, '', other));
      const opening = [(await events.next()).value, (await events.next()).value] as Event[];
      expect(facts(opening)).toEqual(facts(seen.slice(0, 2)));
      const rest = again(alice, id, `&starting_after=${last}`, other);
      provider.release();
      const all = [...opening, ...(await Array.fromAsync(events))];
      expect(facts(await allOf(await rest))).toEqual(facts(all.slice(last + 1)));
      expect(all.map(({ delta = '' }) => delta).join('')).toBe(WHOLE);
      await provider.script('good');
    });

    test('is cut, without an end, by a node that stops while another one makes it', async () => {
      const { provider, user, gateway } = world();
      const alice = await user();
      await provider.script(half);
      const { id } = await begin(alice);
      const other = await besides(gateway);
      const seen: string[] = [];
      const reading = (async () => {
        for await (const { type } of eventsOf(await again(alice, id, '', other))) {
          seen.push(type);
          if (seen.length === 2) void other.app.stop(0);
        }
      })();
      expect(await failure(reading)).toBeInstanceOf(Error);
      expect(seen).toEqual(['response.created', 'response.queued']);
      await other[Symbol.asyncDispose]();
      provider.release();
      await ended(alice);
      await provider.script('good');
    });
  });
}
