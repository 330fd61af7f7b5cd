/** A gateway on a real port, and users with API keys, for client libraries. */
import { beforeAll } from 'bun:test';
import {
  IMAGE_MODEL,
  lastClosed,
  sharedWorld,
  TEXT_MODEL,
  type Chatter,
  type HistoryItem,
  type World,
} from '../support/world.ts';
import type { Dial } from './client.ts';

const models = [
  { id: TEXT_MODEL, model_alias: 'mini' },
  {
    id: IMAGE_MODEL,
    model: 'scripted-image',
    model_alias: 'painter',
    type: 'IMAGE',
    is_chat_mode_allowed: 0,
    cost_input_fix_rub: 0.01,
    cost_output_fix_rub: 0.5,
  },
  { id: 104, model: 'scripted-embedder', max_output_tokens: 1 },
  {
    id: 105,
    model: 'scripted-listener',
    model_alias: 'listener',
    modality: 'transcription',
    cost_audio_seconds_rub: 10_000,
  },
];

/** A user as the owner of an API key. */
export interface Caller extends Chatter {
  /** For the client libraries. */
  dial: Dial;
  /** The messages in the permanent room of API calls, oldest first, including failed messages. */
  apiHistory: () => Promise<HistoryItem[]>;
  /** The newest message of that room, once it is no longer pending. */
  settled: () => Promise<HistoryItem>;
}

export interface ClientWorld extends World {
  origin: string;
  caller: (input?: { credit?: number }) => Promise<Caller>;
}

/** One gateway and provider for all tests of a file. Clients do not see the database: SQLite is enough. */
export function clientWorld(): () => ClientWorld {
  const world = sharedWorld('sqlite', { models });
  let origin = '';
  beforeAll(() => {
    origin = world().gateway.listen();
  });
  return () => {
    const opened = world();
    return { ...opened, origin, caller: (input) => newCaller(opened, origin, input) };
  };
}

async function newCaller(
  { gateway, user }: World,
  origin: string,
  input: { credit?: number } = {},
): Promise<Caller> {
  const chatter = await user(input);
  const { token, userId } = chatter;
  const { key } = await gateway.data<{ key: string }>(
    '/account/keys/',
    { name: 'client' },
    { token },
  );
  const apiHistory = async () =>
    chatter.history({ room_id: await gateway.core.rooms.apiRoom(userId), include_failed: true });
  return {
    ...chatter,
    dial: { origin, key },
    apiHistory,
    settled: () => lastClosed(apiHistory),
  };
}
