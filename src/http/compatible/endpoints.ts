import type { z } from 'zod';
import {
  type ResponseName,
  type SendInput,
  type SendResult,
  withQuotas,
  type SendFacts,
} from '../../chat/index.ts';
import type { Modality } from '../../catalogue/index.ts';
import { DomainError } from '../../lib/errors.ts';
import type { FormRule } from '../body/form.ts';
import { methodNotAllowed } from '../errors.ts';
import {
  type HttpApp,
  type HttpContext,
  idempotencyKey,
  traceparentOf,
  REPLAYED_HEADER,
  undelivered,
} from '../request-facts.ts';
import { beginInBackground, streamInBackground } from './background.ts';
import { checkedBody, readCompatibleCall, roomOf, type CompatibleCall } from './call.ts';
import { inCallersWords, withFieldNames, type FieldNames } from './errors.ts';
import { isNamed, noModelNamed, versionNames, requestedModel } from './models.ts';
import type { EndpointPath } from './paths.ts';
import { namedWriter, type NamedEventWriter } from './named-events.ts';
import type { Quota } from '../../lib/quota.ts';
import { openAiLimitHeaders } from '../rate-limit-headers.ts';
import type { OperationParts } from '../operation-parts.ts';

/** Names the room, so that the caller can find the call in the history. */
const ROOM_HEADER = 'x-room-id';

interface EndpointDescription<Body extends z.ZodObject = z.ZodObject> {
  path: EndpointPath;
  summary: string;
  body: Body;
  /** Whether the body must be a form with files, or may be one. Absent: only JSON. */
  form?: FormRule;
  /** The answer to a successful request that is not streamed. */
  result: z.ZodType;
  /** The content type of an answer that is not JSON. */
  media?: string;
  /** An example of the plain text that the answer may also be, if it may be one. */
  texts?: string;
  /** A small body that a fresh server answers, where that is possible. */
  example: z.input<Body>;
  /** The endpoint's names for the fields of a send. A function if a field has several names. */
  fields: FieldNames | ((body: Record<string, unknown>) => FieldNames);
  /** Checks fields that are not in the schema. @throws `invalid_request` */
  refuse?: (given: Record<string, unknown>) => void;
  /** The URLs of images that only the provider reads: large ones are not decoded. @throws `invalid_request` */
  unreadImages?(body: z.output<Body>): string[];
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

/** A send without the fields that are found in the same way for every endpoint. */
export type SendContent = SendInput extends infer Input
  ? Input extends SendInput
    ? Omit<Input, 'roomId' | 'ai' | 'traceparent' | 'passed' | 'trace'>
    : never
  : never;

interface SendDescription<
  Body extends z.ZodObject,
  Content extends SendContent,
> extends EndpointDescription<Body> {
  /** The modalities of the models that it accepts. */
  models: readonly Modality[];
  content: (
    body: z.output<Body>,
    asker: { parts: OperationParts; userId: number; modality: Modality },
  ) => Content | Promise<Content>;
  /** The answer in the dialect's shape. */
  view: (
    result: SendResult,
    about: { body: z.output<Body>; model: string; sent: Content; host: string | null },
    parts: OperationParts,
  ) => unknown;
  /** Writes a streamed answer. `model` is the requested model's name. */
  writer?: (
    body: z.output<Body>,
    about: { model: string; requestId: string; sent: Content },
  ) => NamedEventWriter;
  /** How a send continues without its client, if the body asks for that. */
  background?: {
    isRequested: (body: z.output<Body>) => boolean;
    /** The first answer, while the send runs. */
    view: (parts: OperationParts, userId: number, message: ResponseName) => Promise<object>;
  };
  /** The dialect's headers: what is left of the caller's limits, and others. Default: OpenAI's. */
  headers?: (quotas: readonly Quota[], requestId: string) => Record<string, string>;
}

/** An endpoint that sends something to a model. */
export function sendEndpoint<
  Body extends z.ZodObject<{ model: z.ZodString }>,
  Content extends SendContent = SendContent,
>(description: SendDescription<Body, Content>): Endpoint {
  const { path, models, content, view, writer, background } = description;
  const { headers = openAiLimitHeaders } = description;
  const answer: Endpoint['answer'] = async (parts, call) => {
    const { caller, request, facts } = call;
    const { requestId } = facts;
    const body = checkedBody(description, call) as z.output<Body> & {
      model: string;
      stream?: boolean;
    };
    const key = idempotencyKey(path.slice(1), request, call.digest);
    const usable = parts.modelsForUser(caller.userId, (one) => isNamed(one, body.model));
    const named = usable instanceof Promise ? await usable : usable;
    const model = requestedModel(named, body.model, models, key);
    const made = content(body, { parts, userId: caller.userId, modality: model.modality });
    const given = made instanceof Promise ? await made : made;
    const input = {
      ...given,
      passed: call.passed,
      roomId: await roomOf(parts.rooms, call),
      ai: model.id,
      traceparent: traceparentOf(request),
      trace: facts,
    };
    const nameOf = versionNames(parts.catalogue);
    const inWords = (result: SendResult) => withWordsOf(description, call.body, result);
    const headersOf = ({ quotas, roomId, replayed }: SendFacts & { roomId: string }) => ({
      ...headers(quotas, requestId),
      [ROOM_HEADER]: roomId,
      ...(replayed && { [REPLAYED_HEADER]: 'true' }),
    });
    const isBackground = background?.isRequested(body) ?? false;
    if (writer && body.stream) {
      const write = writer(body, { model: model.name, requestId, sent: given });
      const writeNamed = namedWriter(
        (event) =>
          write(event.type === 'done' ? { ...event, result: inWords(event.result) } : event),
        nameOf,
      );
      if (isBackground) {
        return streamInBackground({ parts, call, input, key }, writeNamed, headersOf);
      }
      return parts.streams.open(caller.userId, request, call.facts, writeNamed, async (events) => {
        const sent = await parts.sender.stream(caller.userId, input, key, events);
        events.whenEnded(facts.streams());
        // A failure before the first word is thrown, so that it becomes an error with an HTTP status.
        await withQuotas(sent.quotas, events.firstWord());
        return events.response(headersOf(sent));
      });
    }
    if (background && isBackground) {
      const begun = await beginInBackground({ parts, call, input, key });
      const shown = await background.view(parts, caller.userId, begun);
      return Response.json(shown, { headers: headersOf(begun) });
    }
    const { result, ...sent } = await parts.sender.send(caller.userId, input, key);
    const answerHeaders = headersOf({ ...sent, roomId: result.roomId });
    try {
      const about = {
        body,
        model: await nameOf(result.versionId),
        sent: given,
        host: request.headers.get('host'),
      };
      const shown = await view(inWords(result), about, parts);
      if (!(shown instanceof Response)) return Response.json(shown, { headers: answerHeaders });
      for (const [name, value] of Object.entries(answerHeaders)) shown.headers.set(name, value);
      return shown;
    } catch (error) {
      throw undelivered(error, key);
    }
  };
  return { ...description, sends: true, streams: writer !== undefined, answer };
}

/** Mounts endpoints, with or without a trailing slash. They accept only POST. */
export function mountEndpoints(
  app: HttpApp,
  parts: OperationParts,
  endpoints: readonly Endpoint[],
): void {
  for (const endpoint of endpoints) {
    for (const path of [endpoint.path, `${endpoint.path}/`]) {
      app.all(path, (c) => answerPost(c, parts, endpoint));
    }
  }
}

/** Answers a request to an endpoint's path. */
export function answerPost(
  c: HttpContext,
  parts: OperationParts,
  endpoint: Endpoint,
): Promise<Response> {
  if (c.req.method !== 'POST') throw methodNotAllowed(endpoint.path, 'POST');
  c.env.route = endpoint.path;
  return answerTo(c, parts, endpoint);
}

async function answerTo(
  c: HttpContext,
  parts: OperationParts,
  endpoint: Endpoint,
): Promise<Response> {
  const call = await readCompatibleCall(parts, c.req.raw, c.env, endpoint);
  try {
    return await endpoint.answer(parts, call);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw withFieldNames(withModelName(error, call.body), namesIn(endpoint, call.body));
  }
}

function namesIn({ fields }: Pick<Endpoint, 'fields'>, body: Record<string, unknown>): FieldNames {
  return typeof fields === 'function' ? fields(body) : fields;
}

/** The result, with warnings that use the caller's names of fields. */
function withWordsOf(
  endpoint: Pick<Endpoint, 'fields'>,
  body: Record<string, unknown>,
  result: SendResult,
): SendResult {
  if (result.warnings.length === 0) return result;
  const names = namesIn(endpoint, body);
  return { ...result, warnings: result.warnings.map((text) => inCallersWords(text, names)) };
}

/** Sends know models by id. Replaces the id in an error with the name that the caller used. */
function withModelName(error: DomainError, { model }: Record<string, unknown>): DomainError {
  const hasId = error.code === 'model_not_found' && error.details.length === 0;
  return hasId ? noModelNamed(String(model), error.quotas) : error;
}
