/** WebSocket mode of /v1/responses: several requests on one connection, which continue each other. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { MODEL, responsesOf, type Json } from '../support/responses.ts';
import { expectBooksHold, sharedWorld } from '../support/world.ts';
import { LAST_EVENT } from '../torture/support/over-socket.ts';

type Event = Json & { type: string; response: Json & { id: string } };

const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
const POLICY_VIOLATION = 1008;
const isLast = ({ type }: Event) => LAST_EVENT.test(type);

/** A client of the connection. */
class Client {
  readonly #socket: WebSocket;
  readonly #received: Event[] = [];
  readonly closed: Promise<number>;
  #onNews: () => void = () => undefined;

  constructor(origin: string, token: string | undefined, path = '/v1/responses') {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, { headers });
    this.closed = new Promise((resolve) => {
      this.#socket.addEventListener('close', ({ code }) => resolve(code));
    });
    this.#socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      this.#received.push(JSON.parse(data) as Event);
      this.#onNews();
    });
  }

  async open(): Promise<this> {
    await new Promise((resolve) => this.#socket.addEventListener('open', resolve));
    return this;
  }

  send(message: Json | Uint8Array): void {
    this.#socket.send(message instanceof Uint8Array ? message : JSON.stringify(message));
  }

  create(body: Json): void {
    this.send({ type: 'response.create', model: MODEL, max_output_tokens: 20, ...body });
  }

  /** The events up to one that matches; by default to the end of a response. */
  async until(isMeant = isLast): Promise<Event[]> {
    for (;;) {
      const at = this.#received.findIndex(isMeant);
      if (at >= 0) return this.#received.splice(0, at + 1);
      await new Promise<void>((resolve) => (this.#onNews = resolve));
    }
  }

  async last(body: Json): Promise<Event> {
    this.create(body);
    return (await this.until()).at(-1) as Event;
  }

  close(): void {
    this.#socket.close();
  }
}

for (const dialect of dialects) {
  describe(`${dialect}: WebSocket mode of responses`, () => {
    const world = sharedWorld(dialect);
    const { sent, ended } = responsesOf(world);
    let origin = '';
    const clients: Client[] = [];
    beforeAll(() => void (origin = world().gateway.listen()));
    afterAll(() => clients.forEach((client) => client.close()));
    const connect = async (token: string) => {
      const client = await new Client(origin, token).open();
      clients.push(client);
      return client;
    };

    test('has the events of a stream, and charges each response', async () => {
      const { provider, user, gateway } = world();
      await provider.script({ deltas: ['Good', ' day'] });
      const alice = await user();
      const client = await connect(alice.token);
      client.create({ input: 'Hi' });
      client.create({ input: 'Hi again', store: false });
      const events = await client.until();
      expect(events.map(({ type }) => type)).toEqual([
        'response.created',
        'response.in_progress',
        'response.output_item.added',
        'response.content_part.added',
        'response.output_text.delta',
        'response.output_text.delta',
        'response.output_text.done',
        'response.content_part.done',
        'response.output_item.done',
        'response.completed',
      ]);
      expect(events.map((event) => event['sequence_number'])).toEqual([...events.keys()]);
      const [second] = (await client.until()).slice(-1);
      expect(second?.response).toMatchObject({ status: 'completed', store: false });
      expect(await alice.charges()).toHaveLength(2);
      await provider.script('good');
      await expectBooksHold(gateway);
    });

    test('continues a response that is not stored, on its own connection only', async () => {
      const { user, provider } = world();
      await provider.script('good');
      const alice = await user();
      const client = await connect(alice.token);
      const first = await client.last({ input: 'One', store: false });
      const { id } = first.response;
      const next = { input: 'Two', store: false, previous_response_id: id };
      const events = (client.create(next), await client.until());
      for (const { type, response } of events) {
        if (response) expect([type, response['previous_response_id']]).toEqual([type, id]);
      }
      expect(sent()).toMatchObject([{ content: 'One' }, { role: 'assistant' }, { content: 'Two' }]);
      const third = { ...next, previous_response_id: events.at(-1)?.response.id ?? '' };
      const other = await connect(alice.token);
      expect(await other.last(third)).toMatchObject({
        type: 'error',
        status: 400,
        error: { code: 'previous_response_not_found', param: 'previous_response_id' },
      });
      expect((await client.last(third)).type).toBe('response.completed');
      expect(sent()).toHaveLength(5);
    });

    test('continues a stored response, also one of HTTP', async () => {
      const { user } = world();
      const alice = await user();
      const { id } = await responsesOf(world).created(alice, { input: 'Stored' });
      const client = await connect(alice.token);
      const next = await client.last({ input: 'Next', store: false, previous_response_id: id });
      expect(next.type).toBe('response.completed');
      const { id: unstored } = next.response;
      await client.last({ input: 'Last', store: false, previous_response_id: unstored });
      expect(sent()).toMatchObject([{ content: 'Stored' }, {}, { content: 'Next' }, {}, {}]);
    });

    test('forgets a response whose continuation failed', async () => {
      const { user } = world();
      const client = await connect((await user()).token);
      const { response } = await client.last({ input: 'One', store: false });
      const next = { store: false, previous_response_id: response.id };
      const result = { type: 'function_call_output', call_id: 'call_missing', output: 'x' };
      expect(await client.last({ ...next, input: [result] })).toMatchObject({
        type: 'error',
        error: { message: expect.stringContaining('call_missing') as string },
      });
      expect(await client.last({ ...next, input: 'Two' })).toMatchObject({
        error: { code: 'previous_response_not_found' },
      });
    });

    test('generate: false keeps the input, and costs nothing', async () => {
      const { user, provider } = world();
      const alice = await user();
      const client = await connect(alice.token);
      const before = provider.calls.length;
      const warm = await client.last({ input: 'Before', store: false, generate: false });
      expect(warm).toMatchObject({
        type: 'response.completed',
        response: { status: 'completed', output: [], usage: { total_tokens: 0, cost: 0 } },
      });
      expect([provider.calls.length, await alice.charges()]).toEqual([before, []]);
      await client.last({ input: 'After', store: false, previous_response_id: warm.response.id });
      expect(sent()).toMatchObject([{ content: 'Before' }, { content: 'After' }]);
    });

    test.each([
      ['another event', { type: 'response.steer' }, 'type'],
      ['a field of HTTP', { background: true }, 'background'],
      ['a stream id', { stream_id: 'a' }, 'stream_id'],
      ['a model that does not exist', { model: 'none' }, 'model'],
    ])('refuses %s by name, and goes on', async (_what, fields, param) => {
      const client = await connect((await world().user()).token);
      const error = await client.last({ input: 'Hi', ...fields });
      expect(error).toMatchObject({ type: 'error', error: { param } });
      expect((await client.last({ input: 'Hi' })).type).toBe('response.completed');
    });

    test('continues a long message, and one without an answer', async () => {
      const { user, provider } = world();
      await provider.script('good');
      const client = await connect((await user({ credit: 1_000 })).token);
      const long = Array.from({ length: 1_000 }, (_, at) => ({
        type: 'message',
        role: 'user',
        content: `${at}`,
      }));
      const begun = await client.last({ input: long, store: false, generate: false });
      const next = { store: false, previous_response_id: begun.response.id };
      const answered = await client.last({ input: 'One', ...next });
      expect(answered.response['previous_response_id']).toBe(begun.response.id);
      expect(sent()).toMatchObject([
        ...long.map(({ content }) => ({ content })),
        { content: 'One' },
      ]);
      const last = { input: long, store: false, previous_response_id: answered.response.id };
      expect((await client.last(last)).type).toBe('response.completed');
      expect(sent()).toHaveLength(2 * long.length + 2);
    });

    test('takes a message that is too long to be kept', async () => {
      const client = await connect((await world().user({ credit: 1_000 })).token);
      const input = 'word '.repeat(250_000);
      const answer = await client.last({ input, store: false });
      // The scripted model takes less, and its refusal shows that the whole message was read.
      expect(answer).toMatchObject({ error: { code: 'context_length_exceeded' } });
      expect((await client.last({ input: 'Hi' })).type).toBe('response.completed');
    });

    test('opens only with a credential, which is checked for each request', async () => {
      const { gateway, user } = world();
      expect(await new Client(origin, undefined).closed).not.toBe(GOING_AWAY);
      const refused = await fetch(`${origin}/v1/responses`, {
        headers: { connection: 'Upgrade', upgrade: 'websocket' },
      });
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      const { token } = await user();
      const client = await connect(token);
      await gateway.data('/auth/logout/', {}, { token });
      expect(await client.last({ input: 'Hi' })).toMatchObject({ type: 'error', status: 401 });
      expect(await client.closed).toBe(POLICY_VIOLATION);
    });

    test('closes a connection that sends bytes instead of text', async () => {
      const client = await connect((await world().user()).token);
      client.send(new Uint8Array([1, 2, 3]));
      expect(await client.closed).toBe(UNSUPPORTED_DATA);
    });

    test('a client that leaves stops its stream, and pays for what was delivered', async () => {
      const { provider, user, gateway } = world();
      const alice = await user();
      await alice.send();
      await provider.script({ deltas: ['Half', ' and half'], pauseAfterFirst: true });
      const client = await connect(alice.token);
      client.create({ input: 'Hi' });
      await client.until(({ type }) => type === 'response.output_text.delta');
      client.close();
      expect(await ended(alice)).toMatchObject({ response: 'Half' });
      provider.release();
      await provider.script('good');
      await expectBooksHold(gateway);
    });

    test('a stopping gateway closes connections, each after its response', async () => {
      const { provider, user, gateway } = world();
      await provider.script({ deltas: ['Half', ' and half'], pauseAfterFirst: true });
      const { token } = await user();
      const [idle, busy] = [await connect(token), await connect(token)];
      busy.create({ input: 'Hi' });
      await busy.until(({ type }) => type === 'response.output_text.delta');
      const stopped = gateway.app.stop(10_000);
      expect(await idle.closed).toBe(GOING_AWAY);
      provider.release();
      expect((await busy.until()).at(-1)?.type).toBe('response.completed');
      expect(await busy.closed).toBe(GOING_AWAY);
      await stopped;
    });
  });
}
