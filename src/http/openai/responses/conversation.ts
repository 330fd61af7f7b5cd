import type { Conversation, KeptRequest, StoredResponses } from '../../../chat/index.ts';
import { DomainError, invalidField } from '../../../lib/errors.ts';
import { packReasoning } from '../../compatible/sealed-reasoning.ts';
import { requestedView } from './answer.ts';
import { conversationOf, type ResponseBody } from './body.ts';
import { parseItemId, parseResponseId, type ItemName } from './ids.ts';
import { itemsOf, toMessages, toolsIn, type Item, type ItemReference } from './items.ts';
import { offeredTools, type RequestedTool, type NamedTools, type OfferedTools } from './tools.ts';

type Message = Conversation['messages'][number];

/** The most UTF-16 units of a stored conversation, including its settings. A longer one is answered, but not stored. */
export const STORED_UNITS_MAX = 8 * 1024 * 1024;

/** Who asks, and where stored responses are read. */
export interface Asker {
  responses: StoredResponses;
  userId: number;
}

export interface RequestedResponse {
  conversation: Conversation;
  offered: OfferedTools;
  /** Undefined: nothing is stored. */
  kept: KeptRequest | undefined;
}

/** What `KeptRequest.settings` contains. */
export interface KeptSettings {
  /** `requestedView` */
  asked: Record<string, unknown>;
  named: NamedTools;
}

/** The input of a request: its own items, and those of the responses that it refers to. */
interface Input {
  /** The items of this request, without earlier responses. */
  items: Item[];
  /** The messages before them. */
  earlier: Message[];
  /** Tools that the earlier conversation brought. */
  earlierTools: RequestedTool[];
  previousId: number;
  /** UTF-16 units of `earlier`. */
  size: number;
}

const noInput = { items: [], earlier: [], earlierTools: [], previousId: 0, size: 0 };

type Referring = Pick<ResponseBody, 'input' | 'previous_response_id'>;

/**
 * The conversation of a request: what it continues, then its input.
 * @throws `invalid_request` that names a missing response or item
 */
export function requestedOf(
  body: ResponseBody,
  asker: Asker,
): RequestedResponse | Promise<RequestedResponse> {
  const input = inputOf(body, asker);
  return input instanceof Promise
    ? input.then((read) => requested(body, read))
    : requested(body, input);
}

function requested(body: ResponseBody, input: Input): RequestedResponse {
  const { items, earlierTools } = input;
  const offered = offeredTools([...(body.tools ?? []), ...earlierTools, ...toolsIn(items)]);
  return {
    conversation: conversationOf(body, messagesOf(input), offered),
    offered,
    kept: body.store === false ? undefined : keptOf(body, input, offered),
  };
}

/** Reads from the database only if the request refers to something stored. */
export function inputOf(body: Referring, asker: Asker): Input | Promise<Input> {
  const items = itemsOf(body.input);
  const references = items.flatMap((item) => referenceOf(item) ?? []);
  const { previous_response_id: previous } = body;
  if (references.length === 0 && previous == null) {
    return { ...noInput, items: items as Item[] };
  }
  return readInput(items, references, previous ?? undefined, asker);
}

/** @throws `invalid_request` for an empty conversation, or a result without its call */
export function messagesOf({ earlier, items }: Pick<Input, 'earlier' | 'items'>): Message[] {
  const messages = [...earlier, ...toMessages(items)];
  if (messages.length === 0)
    throw invalidField('input', 'is missing: send what the model is to answer');
  const calls = new Set<string>();
  for (const message of messages) {
    if (message.role === 'assistant') for (const { id } of message.toolCalls ?? []) calls.add(id);
    if (message.role === 'tool' && !calls.has(message.toolCallId)) {
      const why = `no tool call found for function call output with call_id ${message.toolCallId}`;
      throw invalidField('input', why);
    }
  }
  return messages;
}

/** The id of an item that has to be read. A reasoning item without its `encrypted_content` is found by its id. */
function referenceOf(item: Item | ItemReference): string | undefined {
  if (item.type === 'item_reference') return item.id;
  if (item.type !== 'reasoning' || item.encrypted_content != null) return undefined;
  return item.id != null && parseItemId(item.id)?.kind === 'rs' ? item.id : undefined;
}

async function readInput(
  items: readonly (Item | ItemReference)[],
  references: readonly string[],
  previous: string | undefined,
  asker: Asker,
): Promise<Input> {
  const found = await referredItems(references, asker);
  const resolved = items.map((item) => {
    const stored = found.get(referenceOf(item) ?? '');
    return stored ?? (item.type === 'item_reference' ? missingItem(item.id) : item);
  });
  const before = previous === undefined ? noInput : await readEarlier(previous, asker);
  return { ...before, items: resolved };
}

async function readEarlier(text: string, { responses, userId }: Asker) {
  const name = parseResponseId(text);
  const chain = name && (await responses.chain(userId, name));
  if (!name || !chain) throw noPrevious(text);
  const earlierTools: RequestedTool[] = [];
  const earlier = chain.responses.flatMap((response): Message[] => {
    const { state, input, text: content, toolCalls, reasoning } = response;
    const items = JSON.parse(input) as Item[];
    earlierTools.push(...toolsIn(items));
    const given = toMessages(items);
    if (state === 'failed' || (content === '' && toolCalls.length === 0)) return given;
    return [...given, { role: 'assistant', content: content || null, toolCalls, reasoning }];
  });
  return { earlier, earlierTools, previousId: name.id, size: chain.size };
}

/** Clients look for this code, and then send the whole conversation. It is the same for another user's response. */
function noPrevious(id: string): DomainError {
  const message = `Previous response with id '${id}' not found: it was not stored, is not complete, or it or one before it was deleted. Send the whole conversation as input`;
  return new DomainError('invalid_request', message, {
    details: [{ path: 'previous_response_id', message: 'must be the id of a stored response' }],
    facts: { code: 'previous_response_not_found' },
  });
}

function missingItem(id: string): never {
  throw invalidField('input', `Item with id '${id}' not found: send the item itself`);
}

/** The items that the request refers to, by their ids. */
async function referredItems(
  references: readonly string[],
  { responses, userId }: Asker,
): Promise<Map<string, Item>> {
  const names = new Map<string, ItemName>();
  for (const id of references) names.set(id, parseItemId(id) ?? missingItem(id));
  const ids = new Set([...names.values()].map(({ of }) => of.id));
  const outputs = await responses.outputs(userId, [...ids]);
  const items = new Map<string, Item>();
  const inputs = new Map<number, Item[]>();
  for (const [id, { kind, of, position }] of names) {
    const output = outputs.get(of.id);
    if (output?.roomId !== of.roomId) continue;
    if (kind === 'msg' && output.text !== '') {
      items.set(id, { type: 'message', role: 'assistant', content: output.text });
    } else if (kind === 'rs') {
      const block = output.reasoning?.[position];
      if (block) items.set(id, { type: 'reasoning', encrypted_content: packReasoning(block) });
    } else if (kind === 'fc' || kind === 'ctc' || kind === 'tsc') {
      const call = output.toolCalls[position];
      if (!call) continue;
      const { id: call_id, name, arguments: text } = call;
      items.set(id, { type: 'function_call', call_id, name, arguments: text });
    } else if (kind === 'in') {
      let input = inputs.get(of.id);
      if (!input) {
        const stored = await responses.find(userId, of);
        inputs.set(of.id, (input = JSON.parse(stored?.input ?? '[]') as Item[]));
      }
      const item = input[position];
      if (item) items.set(id, item);
    }
  }
  return items;
}

function keptOf(
  body: ResponseBody,
  { items, previousId, size }: Input,
  { named }: OfferedTools,
): KeptRequest | undefined {
  // Measured first: writing the largest ones would take long.
  const units = size + unitsOf({ ...body, input: undefined }) + unitsOf(items);
  if (units > STORED_UNITS_MAX) return undefined;
  const settings = JSON.stringify({
    asked: requestedView(body, true),
    named,
  } satisfies KeptSettings);
  return { previousId, size: units, settings, input: JSON.stringify(items) };
}

/** The approximate length of a value as JSON. */
function unitsOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 8;
  let units = 2;
  if (Array.isArray(value)) {
    for (const part of value) units += 1 + unitsOf(part);
    return units;
  }
  // `Object.entries` takes ten times as long.
  for (const name in value) {
    units += name.length + 3 + unitsOf((value as Record<string, unknown>)[name]);
  }
  return units;
}

/** The warning for a conversation that is too long to be stored, although the request asked for it. */
export function notStored({ store }: ResponseBody, kept: KeptRequest | undefined): string[] {
  if (store === false || kept) return [];
  const mib = STORED_UNITS_MAX / 1024 ** 2;
  return [`the response was not stored, since its conversation is longer than ${mib} MiB`];
}
