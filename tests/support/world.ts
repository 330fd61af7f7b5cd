/**
 * A gateway in front of a scripted provider, and users with money and a room: the harness of every test of the send
 * path.
 *
 *   await using world = await openWorld(dialect);
 *   const alice = await world.user({ credit: 10 });
 *   const sent = await alice.send({ message: 'Hi' });
 */
import { afterAll, beforeAll, expect } from 'bun:test';
import type { Dialect } from '../../src/db/index.ts';
import { verifyBooks, type AccountState } from '../../src/ledger/index.ts';
import {
  openGateway,
  type Answer,
  type Gateway,
  type GatewayOptions,
  type PostOptions,
  type TestUser,
} from './gateway.ts';
import { wronglyIndexedRooms } from './room-index.ts';
import { ScriptedProvider } from './scripted-provider.ts';

/** The Model of the interface, as clients read it. */
export interface ModelJson {
  id: number;
  code: string;
  model: string;
  cost_input_tokens_rub: number;
  cost_output_tokens_rub: number;
  [field: string]: unknown;
}

/** The Send result, as clients read it. */
export interface Sent {
  room_id: string;
  id: number;
  request: string;
  response: string;
  cost_request: number;
  cost_response: number;
  ai: ModelJson;
  usage: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
    source: 'provider' | 'estimated';
  };
  finish_reason: string;
  balance: number;
  context_used: number;
  seed: number | null;
  warnings: string[];
}

/** A history item, as clients read it. */
export interface HistoryItem {
  message_id: string;
  message_id_reply: string;
  system_prompt: string;
  request: string;
  response: string;
  ai: ModelJson;
  response_at: string;
  created_at: string;
  usage_prompt_tokens: string;
  usage_completion_tokens: string;
  usage_total_tokens: string;
  usage_source: string;
  state: string;
  finish_reason: string;
  error_code: string;
  replaces: string;
  cost_request: number;
  cost_response: number;
}

/** A model of the catalogue file; missing fields have the values of `TEXT_MODEL`. */
export type ModelLine = { id: number } & Record<string, unknown>;

/** The model of sends that name no other. Its prices leave fractions of a micro-ruble. */
export const TEXT_MODEL = 101;
export const IMAGE_MODEL = 103;

const textModel = {
  provider: 'scripted',
  model: 'scripted-text',
  type: 'TEXT',
  max_input_tokens: 4_000,
  max_output_tokens: 1_000,
  min_temperature: 0,
  max_temperature: 2,
  is_chat_mode_allowed: 1,
  cost_input_tokens_rub: 133.333333,
  cost_output_tokens_rub: 266.666667,
  cost_input_fix_rub: 0.001,
  cost_output_fix_rub: 0.002,
};

export const standardModels: ModelLine[] = [
  { id: TEXT_MODEL },
  {
    id: IMAGE_MODEL,
    model: 'scripted-image',
    type: 'IMAGE',
    is_chat_mode_allowed: 0,
    cost_input_fix_rub: 0.01,
    cost_output_fix_rub: 0.5,
  },
];

/** A catalogue file of models at the scripted provider. JSON is YAML. */
export function catalogueOf(
  provider: ScriptedProvider,
  models: readonly ModelLine[] = standardModels,
  providers: Record<string, object> = {},
): string {
  const scripted = { kind: 'openai', base_url: provider.baseUrl, api_key: 'sk-scripted' };
  return JSON.stringify({
    // For all users, although there are prices.
    sandbox: 'on',
    providers: { scripted, ...providers },
    models: models.map((model) => ({ ...textModel, ...model })),
  });
}

export interface WorldOptions extends Omit<GatewayOptions, 'catalogue'> {
  models?: readonly ModelLine[];
  /** Further providers by their codes, as in a catalogue file. */
  providers?: (provider: ScriptedProvider) => Record<string, object>;
}

/** A user with a room. A send uses model `TEXT_MODEL` in that room unless its body says otherwise. */
export interface Chatter extends TestUser {
  room: string;
  /** A send that must succeed. */
  send(body?: object, options?: PostOptions): Promise<Sent>;
  /** A send with any result. */
  trySend(body?: object, options?: PostOptions): Promise<Answer>;
  /**
   * A send that must fail.
   * @returns its code
   */
  code(body?: object, options?: PostOptions): Promise<string>;
  /**
   * A streamed send.
   * @param options `signal`: aborted when the client leaves, also before the response begins
   */
  stream(
    body?: object,
    options?: { headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Response>;
  history(body?: object): Promise<HistoryItem[]>;
  /** Micro-rubles. */
  funds(): Promise<AccountState>;
  /** Amounts of the user's charges in micro-rubles, oldest first. */
  charges(): Promise<number[]>;
}

export interface World extends AsyncDisposable {
  gateway: Gateway;
  provider: ScriptedProvider;
  /** @param input.credit rubles, 100 by default */
  user: (input?: { credit?: number; isAdmin?: boolean }) => Promise<Chatter>;
}

export async function openWorld(dialect: Dialect, options: WorldOptions = {}): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const provider = stack.use(await ScriptedProvider.start());
  const { models, providers, ...rest } = options;
  const catalogue = catalogueOf(provider, models, providers?.(provider));
  const gateway = stack.use(await openGateway(dialect, { ...rest, catalogue }));
  const kept = stack.move();
  return {
    gateway,
    provider,
    user: async ({ credit = 100, isAdmin = false } = {}) =>
      chatterOf(gateway, await gateway.addUser({ credit, isAdmin })),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** One world for all tests of a `describe`: opening a database takes most of the time. */
export function sharedWorld(dialect: Dialect, options: WorldOptions = {}): () => World {
  let world: World | undefined;
  beforeAll(async () => {
    world = await openWorld(dialect, options);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  return () => {
    if (!world) throw new Error('the world is open only while tests run');
    return world;
  };
}

/** A user with a room, and shortcuts for working in it. */
export async function chatterOf(gateway: Gateway, user: TestUser): Promise<Chatter> {
  const { token, userId } = user;
  const room = await gateway.room(token);
  const full = (body: object) => ({ room_id: room, ai: TEXT_MODEL, message: 'Hello', ...body });
  return {
    ...user,
    room,
    send: (body = {}, options) =>
      gateway.data<Sent>('/ai/send/', full(body), { token, ...options }),
    trySend: (body = {}, options) => gateway.post('/ai/send/', full(body), { token, ...options }),
    code: (body = {}, options) => gateway.code('/ai/send/', full(body), { token, ...options }),
    stream: (body = {}, { headers = {}, signal } = {}) =>
      gateway.fetch('/ai/send/', {
        method: 'POST',
        ...(signal && { signal }),
        body: JSON.stringify(full({ stream: true, ...body })),
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          ...headers,
        },
      }),
    async history(body = {}) {
      const request = { room_id: room, ...body };
      return (await gateway.data<{ data: HistoryItem[] }>('/ai/history/', request, { token })).data;
    },
    funds: () => gateway.core.ledger.account(userId),
    async charges() {
      const all = await gateway.core.ledger.transactions(userId, 1000);
      return all
        .filter(({ kind }) => kind === 'charge')
        .map(({ amount }) => -amount)
        .toReversed();
    },
  };
}

/** Micro-rubles of a JSON amount, which has at most six decimals. */
export function micro(rubles: number): number {
  const amount = Math.round(rubles * 1_000_000);
  expect(amount / 1_000_000).toBe(rubles);
  return amount;
}

/** The newest item of a history, once it is no longer pending. */
export async function lastClosed(history: () => Promise<HistoryItem[]>): Promise<HistoryItem> {
  for (;;) {
    const item = (await history()).at(-1);
    if (item && item.state !== 'pending') return item;
    await new Promise((resume) => setTimeout(resume, 5));
  }
}

/** The newest message that a user sent in the room, once it is no longer pending. */
export function closed(chatter: Chatter): Promise<HistoryItem> {
  return lastClosed(() => chatter.history({ include_failed: true }));
}

/** The books must balance by all proofs. */
export async function expectBooksHold({ core }: Gateway): Promise<void> {
  const broken = (await verifyBooks(core.db)).filter(({ holds }) => !holds);
  expect(broken).toEqual([]);
  expect(await wronglyIndexedRooms(core.db)).toEqual([]);
}
