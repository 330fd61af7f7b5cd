/** What a conversation is made of, for every dialect alike. */

/**
 * A mark of the caller: the provider may keep what it read of the request up to the end of this in a cache, and
 * bill it less when it reads it again. A hint, dropped where unknown.
 */
interface Cacheable {
  cacheBreakpoint?: true | undefined;
}

/** A part of what a user says. An image lies at an https URL, or in a `data:` URL with base64 in it. */
export type UserPart = Cacheable &
  (
    | { type: 'text'; text: string }
    | { type: 'image'; url: string; detail?: ImageDetail | undefined }
  );

/** A hint how closely a model shall look at an image; dropped where unknown. */
export type ImageDetail = 'auto' | 'low' | 'high';

/** A call of a function that a model asks for. */
export interface ToolCall {
  /** Names the call in the message that brings its result back. */
  id: string;
  name: string;
  /** JSON as the model wrote it, so possibly broken; an object by custom, `{}` for no arguments. */
  arguments: string;
}

/**
 * One message of a conversation. `developer` ranks below `system` where a provider knows it, and is
 * `system` elsewhere. An assistant's content is null when it only called tools. A `tool` message answers
 * one call of the assistant's message before it.
 */
export type Message =
  | SystemMessage
  | { role: 'user'; content: string | readonly UserPart[] }
  | (Cacheable & {
      role: 'assistant';
      content: string | null;
      toolCalls?: readonly ToolCall[] | undefined;
      /** What the model thought before it, where the caller has it; dropped where no provider asks for it. */
      thoughts?: string | undefined;
    })
  | (Cacheable & { role: 'tool'; toolCallId: string; content: string });

export interface SystemMessage {
  role: 'system' | 'developer';
  content: string;
  /** Like `cacheBreakpoint`, after so many UTF-16 units of the content each; ascending, above 0. */
  cacheBreakpoints?: readonly number[] | undefined;
}

/** A function that the model may ask to be called. */
export interface Tool extends Cacheable {
  name: string;
  description?: string | undefined;
  /** JSON Schema of the arguments object; absent: none. */
  parameters?: Readonly<Record<string, unknown>> | undefined;
  /** Holds the model to the schema, where a provider can. */
  strict?: boolean | undefined;
}

/** May the model call tools, must it, or must it call this one? Absent: as `auto`. */
export type ToolChoice = 'auto' | 'none' | 'required' | { name: string };
