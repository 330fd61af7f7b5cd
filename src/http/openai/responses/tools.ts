import { z } from 'zod';
import type { Conversation } from '../../../chat/index.ts';
import { invalidField } from '../../../lib/errors.ts';
import { sha256Hex } from '../../../lib/ids.ts';
import { functionFields, oneOf, toTool } from '../../compatible/request-fields.ts';
import { functionOfCustom } from '../custom-tools.ts';

type Tool = NonNullable<Conversation['options']['tools']>[number];

const functionTool = z.object({ type: z.literal('function'), ...functionFields });
/** A tool that takes a text instead of arguments that follow a schema. */
const customTool = z.looseObject({
  type: z.literal('custom'),
  name: z.string().min(1),
  description: z.string().nullish(),
  format: z
    .looseObject({
      type: z.string(),
      syntax: z.string().optional(),
      definition: z.string().optional(),
    })
    .nullish(),
});
const namespace = z.looseObject({
  type: z.literal('namespace'),
  name: z.string().min(1),
  description: z.string().nullish(),
  tools: z.array(oneOf('type', [functionTool, customTool])),
});
/** The client searches, if `execution` is `client`. */
const toolSearch = z.looseObject({
  type: z.literal('tool_search'),
  execution: z.string().nullish(),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});

/** Tools that OpenAI runs itself, or that only its models know. */
const hostedTypes = [
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
  'image_generation',
  'file_search',
  'code_interpreter',
  'computer',
  'computer_use_preview',
  'mcp',
  'local_shell',
  'shell',
  'apply_patch',
] as const;
const hosted = z.looseObject({ type: z.enum(hostedTypes) });

export const tool = oneOf('type', [functionTool, customTool, namespace, toolSearch, hosted]);
export type RequestedTool = z.output<typeof tool>;

/** The client's view of a tool that the model knows under another name, or calls in another way. */
export interface NamedTool {
  type: 'function' | 'custom' | 'tool_search';
  name: string;
  namespace?: string | undefined;
}

/** The tools that are not plain functions, by the names that the model knows. */
export type NamedTools = Readonly<Record<string, NamedTool>>;

/** The client's view of the tool that the model knows by this name; undefined for a plain function. */
export function namedTool(named: NamedTools, name: string): NamedTool | undefined {
  return Object.hasOwn(named, name) ? named[name] : undefined;
}

export interface OfferedTools {
  /** The tools in the form that the model gets. */
  tools: Tool[];
  named: NamedTools;
  leftOut: string[];
}

/**
 * The tools of a request as functions: all models know only these.
 * @throws `invalid_request` for two tools of the same name
 */
export function offeredTools(requested: readonly RequestedTool[]): OfferedTools {
  const offer: Offer = { tools: new Map(), named: {}, leftOut: new Set() };
  for (const one of requested) {
    if (one.type === 'namespace') for (const each of one.tools) add(offer, each, one.name);
    else add(offer, one, undefined);
  }
  return { tools: [...offer.tools.values()], named: offer.named, leftOut: [...offer.leftOut] };
}

interface Offer {
  tools: Map<string, Tool>;
  named: Record<string, NamedTool>;
  leftOut: Set<string>;
}

function add(
  { tools, named, leftOut }: Offer,
  requested: Exclude<RequestedTool, { type: 'namespace' }>,
  within: string | undefined,
): void {
  if (!isOffered(requested)) {
    leftOut.add(requested.type);
    return;
  }
  const name = requested.type === 'tool_search' ? 'tool_search' : requested.name;
  const flat = flatName(name, within);
  // A tool that the conversation loads again is the same tool.
  const isOther =
    namedTool(named, flat)?.type !== (isPlain(requested, within) ? undefined : requested.type);
  if (tools.has(flat) && isOther) {
    throw invalidField('tools', `has two tools that the model would know as ${flat}: rename one`);
  }
  tools.set(flat, { ...functionOf(requested), name: flat });
  if (!isPlain(requested, within)) named[flat] = { type: requested.type, name, namespace: within };
}

type Offered = z.output<typeof functionTool | typeof customTool | typeof toolSearch>;

function isOffered(requested: Exclude<RequestedTool, { type: 'namespace' }>): requested is Offered {
  if (requested.type === 'tool_search') return requested.execution === 'client';
  return requested.type === 'function' || requested.type === 'custom';
}

function isPlain({ type }: Offered, within: string | undefined): boolean {
  return type === 'function' && within === undefined;
}

function functionOf(requested: Offered): Omit<Tool, 'name'> {
  if (requested.type === 'function') return toTool(requested);
  if (requested.type === 'tool_search') {
    const { description, parameters } = requested;
    return { description: description ?? undefined, parameters: parameters ?? undefined };
  }
  return functionOfCustom(requested.description, requested.format ?? undefined);
}

/** The longest name of a function that all providers accept. */
const NAME_MAX = 64;
const HASH_CHARS = 8;

/** The name that the model gets. It depends on nothing else, so that calls in a conversation keep their names. */
export function flatName(name: string, within: string | null | undefined): string {
  if (within == null) return name;
  const whole = `${within}${within.endsWith('__') ? '' : '__'}${name}`;
  const safe = whole.replaceAll(/[^0-9A-Za-z_-]/g, '_');
  if (safe === whole && safe.length <= NAME_MAX) return safe;
  const hash = sha256Hex(Buffer.from(whole)).slice(0, HASH_CHARS);
  return `${safe.slice(0, NAME_MAX - HASH_CHARS - 1)}_${hash}`;
}
