import type { ResponseName, StoredResponse } from '../../../chat/index.ts';
import { DomainError, invalidField } from '../../../lib/errors.ts';
import { authenticate } from '../../compatible/call.ts';
import { methodNotAllowed } from '../../errors.ts';
import { eventHeaders } from '../../event-stream.ts';
import type { OperationParts } from '../../operation-parts.ts';
import type { HttpApp, HttpContext } from '../../request-facts.ts';
import { isBackground } from './answer.ts';
import { SEALED_REASONING } from './body.ts';
import type { KeptSettings } from './conversation.ts';
import { itemId, parseResponseId, responseId } from './ids.ts';
import type { Item } from './items.ts';
import { factsOf, noResponse, storedView } from './stored-answer.ts';
import { startingAfter, streamStored } from './stored-stream.ts';

const base = '/v1/responses/:id';

interface StoredRoute {
  path: string;
  methods: Readonly<Record<string, (requested: RequestedResponse) => Promise<object>>>;
}

interface RequestedResponse {
  c: HttpContext;
  parts: OperationParts;
  userId: number;
  id: string;
}

const routes: readonly StoredRoute[] = [
  { path: base, methods: { GET: show, DELETE: remove } },
  { path: `${base}/input_items`, methods: { GET: inputItems } },
  { path: `${base}/cancel`, methods: { POST: cancel } },
];

/**
 * The routes of stored responses, by their ids.
 * @param compact answers `/v1/responses/compact`: the router accepts no fixed path beside the pattern
 */
export function mountStoredResponses(
  app: HttpApp,
  parts: OperationParts,
  compact: (c: HttpContext) => Promise<Response>,
): void {
  for (const { path, methods } of routes) {
    const answer = async (c: HttpContext): Promise<Response> => {
      const id = c.req.param('id') ?? '';
      if (path === base && id === 'compact') return compact(c);
      const handle = methods[c.req.method];
      if (!handle) throw methodNotAllowed(c.req.path, Object.keys(methods).join(', '));
      const { userId } = await authenticate(parts.authenticator, c.req.raw);
      c.env.userId = userId;
      const answered = await handle({ c, parts, userId, id });
      return answered instanceof Response ? answered : Response.json(answered);
    };
    app.all(path, answer);
    app.all(`${path}/`, answer);
  }
}

async function show({ c, parts, userId, id }: RequestedResponse): Promise<object> {
  const url = new URL(c.req.raw.url);
  const { searchParams } = url;
  const included = [...searchParams.getAll('include'), ...searchParams.getAll('include[]')];
  const sealed = included.includes(SEALED_REASONING);
  if (searchParams.get('stream') !== 'true') {
    return storedView(parts, userId, await found(parts, userId, id), sealed);
  }
  const after = startingAfter(url);
  const stored = await found(parts, userId, id);
  const shown = await factsOf(parts, stored, sealed);
  if (!isBackground(shown)) {
    const why = 'This response cannot be streamed because it was not created with background=true.';
    throw new DomainError('invalid_request', why, { details: [{ path: 'stream', message: why }] });
  }
  if (c.env.isHead) return new Response(null, { headers: eventHeaders });
  const { raw: request } = c.req;
  const read = () => parts.responses.find(userId, stored);
  return streamStored({ parts, userId, request, facts: c.env, stored, shown, after, read });
}

async function remove({ parts, userId, id }: RequestedResponse): Promise<object> {
  const name = parseResponseId(id);
  if (!name || !(await parts.responses.delete(userId, name))) throw noResponse(id);
  return { id, object: 'response', deleted: true };
}

/** As at OpenAI, only a response that is made in the background can be cancelled. */
async function cancel({ parts, userId, id }: RequestedResponse): Promise<object> {
  const { roomId, id: messageId, state, settings } = await found(parts, userId, id);
  if (!isBackground(JSON.parse(settings) as KeptSettings)) {
    throw new DomainError(
      'invalid_request',
      'only a response with background: true can be cancelled; to stop a stream, close its connection',
    );
  }
  if (state === 'pending') await parts.sender.detached.stop(userId, { roomId, messageId });
  return storedView(parts, userId, await found(parts, userId, id), false);
}

/** The response object of a message in its current stored state. */
export async function storedResponse(
  parts: OperationParts,
  userId: number,
  message: ResponseName,
): Promise<object> {
  const stored = await parts.responses.find(userId, message);
  if (!stored) throw noResponse(responseId(message));
  return storedView(parts, userId, stored, false);
}

async function found(parts: OperationParts, userId: number, id: string): Promise<StoredResponse> {
  const name = parseResponseId(id);
  const stored = name && (await parts.responses.find(userId, name));
  if (!stored) throw noResponse(id);
  return stored;
}

const PAGE_DEFAULT = 20;
const PAGE_MAX = 100;

/** The items of the response's own input, in pages; newest first unless `order` is `asc`. */
async function inputItems({ c, parts, userId, id }: RequestedResponse): Promise<object> {
  const { limit: wanted = `${PAGE_DEFAULT}`, order = 'desc', after } = c.req.query();
  const limit = Number(wanted);
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX) {
    throw invalidField('limit', `must be between 1 and ${PAGE_MAX}`);
  }
  if (order !== 'asc' && order !== 'desc') throw invalidField('order', 'must be asc or desc');
  const stored = await found(parts, userId, id);
  const items = (JSON.parse(stored.input) as Item[]).map((item, position) =>
    itemView(item, itemId('in', stored, position)),
  );
  const ordered = order === 'asc' ? items : items.toReversed();
  const start = after === undefined ? 0 : ordered.findIndex((item) => item.id === after) + 1;
  if (after !== undefined && start === 0) throw invalidField('after', 'must be the id of an item');
  const data = ordered.slice(start, start + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < ordered.length,
  };
}

/** An item as the API lists it: with an id, and a text as a part. */
function itemView(item: Item, id: string): { id: string } {
  if (item.type !== undefined && item.type !== 'message') return { ...item, id, ...completed };
  const { role, content } = item;
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  const parts = typeof content === 'string' ? [{ type, text: content }] : content;
  return { id, ...completed, type: 'message', role, content: parts } as { id: string };
}

const completed = { status: 'completed' };
