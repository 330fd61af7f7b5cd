import type { z } from 'zod';
import {
  type SendInput,
  type SendResult,
  withQuotas,
  type SendFacts,
  type StreamEvent,
} from '../../chat/index.ts';
import { DomainError } from '../../lib/errors.ts';
import { methodNotAllowed } from '../errors.ts';
import type { EventWriter } from '../event-stream.ts';
import {
  type HttpApp,
  type HttpContext,
  idempotencyKey,
  traceparentOf,
  REPLAYED_HEADER,
  undelivered,
} from '../request-facts.ts';
import { checkedBody, readCompatibleCall, roomOf, type CompatibleCall } from './call.ts';
import { withFieldNames, type FieldNames } from './errors.ts';
import { noModelNamed, versionNames, requestedModel, type ModelRule } from './models.ts';
import type { Quota } from '../../lib/quota.ts';
import { openAiLimitHeaders } from '../rate-limit-headers.ts';
import type { OperationParts } from '../operation-parts.ts';

/** Names the room, so that the caller can find the call in the history. */
const ROOM_HEADER = 'x-room-id';

interface EndpointDescription<Body extends z.ZodObject = z.ZodObject> {
  /** Without a trailing slash. The same path with one works too. */
  path: `/v1/${string}`;
  summary: string;
  body: Body;
  /** The answer of a success that is not streamed. */
  result: z.ZodType;
  /** A small body that a fresh server answers, where that is possible. */
  example: z.input<Body>;
  /** How the endpoint calls the fields of a send. A function where a field has several names. */
  fields: FieldNames | ((body: Record<string, unknown>) => FieldNames);
  /** Checks fields that the schema does not know. @throws `invalid_request` */
  refuse?: (given: Record<string, unknown>) => void;
}

/** A POST of a dialect. */
export interface Endpoint extends Omit<EndpointDescription, 'example'> {
  example: unknown;
  /** True if it sends something to a model. Then headers can name a room and an idempotency key. */
  sends: boolean;
  /** True if `stream: true` in the body makes the answer an event stream. */
  streams: boolean;
  answer: (parts: OperationParts, call: CompatibleCall) => Promise<Response>;
}

/** A send without the fields that every endpoint finds in the same way. */
type SendContent = SendInput extends infer Input
  ? Input extends SendInput
    ? Omit<Input, 'roomId' | 'ai' | 'traceparent' | 'trace'>
    : never
  : never;

interface SendDescription<Body extends z.ZodObject> extends EndpointDescription<Body> {
  models: ModelRule;
  content: (body: z.output<Body>) => SendContent;
  /** The answer in the dialect's shape. */
  view: (
    result: SendResult,
    about: { body: z.output<Body>; model: string },
    parts: OperationParts,
  ) => unknown;
  /** Writes a streamed answer. `model` is the requested model's name. */
  writer?: (body: z.output<Body>, about: { model: string; requestId: string }) => NamedEventWriter;
  /** The dialect's headers: what is left of the caller's limits, and others. Default: OpenAI's. */
  headers?: (quotas: readonly Quota[], requestId: string) => Record<string, string>;
}

/** A stream's event. Once it is known which model answers, `served` has its name. */
export type NamedEvent =
  Exclude<StreamEvent, { type: 'served' }> | { type: 'served'; model: string };

/** Writes an event in the shape of a dialect. */
export type NamedEventWriter = (event: NamedEvent) => string;

/** An endpoint that sends something to a model. */
export function sendEndpoint<Body extends z.ZodObject<{ model: z.ZodString }>>(
  description: SendDescription<Body>,
): Endpoint {
  const { path, models, content, view, writer } = description;
  const { headers = openAiLimitHeaders } = description;
  const answer: Endpoint['answer'] = async (parts, call) => {
    const { caller, request, facts } = call;
    const { requestId } = facts;
    const body = checkedBody(description, call) as z.output<Body> & {
      model: string;
      stream?: boolean;
    };
    const key = idempotencyKey(path.slice(1), request, call.digest);
    const usable = await parts.modelsForUser(caller.userId);
    const model = requestedModel(usable, body.model, models, key);
    const input = {
      ...content(body),
      roomId: await roomOf(parts.rooms, call),
      ai: model.id,
      traceparent: traceparentOf(request),
      trace: facts,
    };
    const nameOf = versionNames(parts.catalogue);
    const headersOf = ({ quotas, roomId, replayed }: SendFacts & { roomId: string }) => ({
      ...headers(quotas, requestId),
      [ROOM_HEADER]: roomId,
      ...(replayed && { [REPLAYED_HEADER]: 'true' }),
    });
    if (writer && body.stream) {
      const write = writer(body, { model: model.name, requestId });
      const writeNamed: EventWriter = (event) =>
        event.type === 'served'
          ? nameOf(event.versionId).then((name) => write({ type: 'served', model: name }))
          : write(event);
      return parts.streams.open(caller.userId, request, call.facts, writeNamed, async (events) => {
        const sent = await parts.sender.stream(caller.userId, input, key, events);
        events.whenEnded(facts.streams());
        // A failure before the first word is thrown, so that it becomes an error with its status.
        await withQuotas(sent.quotas, events.firstWord());
        return events.response(headersOf(sent));
      });
    }
    const { result, ...sent } = await parts.sender.send(caller.userId, input, key);
    const answerHeaders = headersOf({ ...sent, roomId: result.roomId });
    try {
      const about = { body, model: await nameOf(result.versionId) };
      return Response.json(await view(result, about, parts), { headers: answerHeaders });
    } catch (error) {
      throw undelivered(error, key);
    }
  };
  return { ...description, sends: true, streams: writer !== undefined, answer };
}

/** Mounts endpoints, with or without a trailing slash. They take POST only. */
export function mountEndpoints(
  app: HttpApp,
  parts: OperationParts,
  endpoints: readonly Endpoint[],
): void {
  for (const endpoint of endpoints) {
    for (const path of [endpoint.path, `${endpoint.path}/`]) {
      app.all(path, (c) => {
        if (c.req.method !== 'POST') throw methodNotAllowed(endpoint.path, 'POST');
        return answerTo(c, parts, endpoint);
      });
    }
  }
}

async function answerTo(
  c: HttpContext,
  parts: OperationParts,
  { answer, fields, path }: Endpoint,
): Promise<Response> {
  const call = await readCompatibleCall(parts, c.req.raw, c.env, path);
  try {
    return await answer(parts, call);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const names = typeof fields === 'function' ? fields(call.body) : fields;
    throw withFieldNames(withModelName(error, call.body), names);
  }
}

/** Sends know models by id. Replaces the id in an error by the name that the caller used. */
function withModelName(error: DomainError, { model }: Record<string, unknown>): DomainError {
  const hasId = error.code === 'model_not_found' && error.details.length === 0;
  return hasId ? noModelNamed(String(model), error.quotas) : error;
}
