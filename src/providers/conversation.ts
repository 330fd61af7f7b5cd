/** Conversations, in a form that does not depend on a dialect. */

/**
 * A cache breakpoint of the caller: the provider may cache the request up to the end of this part, and bill it less
 * when it reads it again. Not sent to providers that do not support it.
 */
interface Cacheable {
  cacheBreakpoint?: true | undefined;
}

/** A part of a message or of a tool's result. Images and files have an https URL, or a `data:` URL in base64. */
export type UserPart = Cacheable &
  (
    | { type: 'text'; text: string }
    | { type: 'image'; url: string; detail?: ImageDetail | undefined }
    | FilePart
  );

/** A document, or a text of any kind. */
export interface FilePart {
  type: 'file';
  url: string;
  /** Including its extension, such as `report.pdf`. */
  name?: string | undefined;
}

/** How closely the model looks at an image; not sent to providers that do not support it. */
export type ImageDetail = 'auto' | 'low' | 'high' | 'original';

/** A model's request to call a function. */
export interface ToolCall {
  /** Identifies the call in the message with its result. */
  id: string;
  name: string;
  /** JSON as the model wrote it, so possibly malformed; usually an object, `{}` without arguments. */
  arguments: string;
}

/**
 * One message of a conversation. `developer` ranks below `system`, for providers that support it; for others it is
 * `system`. The content of an assistant message is null if it only called tools. A `tool` message has the result of
 * one call in an earlier assistant message.
 */
export type Message =
  | SystemMessage
  | { role: 'user'; content: string | readonly UserPart[] }
  | (Cacheable & {
      role: 'assistant';
      content: string | null;
      toolCalls?: readonly ToolCall[] | undefined;
      /** The model's reasoning, if the caller has it; only sent to the provider that it is from. */
      reasoning?: readonly ReasoningBlock[] | undefined;
    })
  | (Cacheable & { role: 'tool'; toolCallId: string; content: string | readonly UserPart[] });

/** The reasoning of a model at one point of its answer. */
export interface ReasoningBlock {
  /** The reasoning or a summary of it; empty if the provider shows neither. */
  text: string;
  seal?: ReasoningSeal | undefined;
  /** Absent: the block is at the beginning of the answer. */
  after?: AnswerPlace | undefined;
}

/** A place in an answer, as the UTF-16 units of text and the number of tool calls before it. */
export interface AnswerPlace {
  text: number;
  calls: number;
}

/**
 * The part of a reasoning block that a provider wants back. It is sent unchanged, and only to providers of that kind.
 */
export type ReasoningSeal =
  /** From a `thinking` block, with its text. */
  | { by: 'anthropic'; signature: string }
  /** From a `redacted_thinking` block. */
  | { by: 'anthropic'; data: string }
  /** From the reasoning before a call. */
  | { by: 'gemini'; callId: string; signature: string }
  /** An item of the Responses API, for the model that made it. */
  | { by: 'openai'; model: string; item: ReasoningItem };

/** The fields of a reasoning item that the Responses API wants back. */
export interface ReasoningItem {
  id: string;
  summary: readonly { type: 'summary_text'; text: string }[];
  encrypted_content: string;
}

export interface SystemMessage {
  role: 'system' | 'developer';
  content: string;
  /** Cache breakpoints within the content: offsets in UTF-16 units, ascending, above 0. */
  cacheBreakpoints?: readonly number[] | undefined;
}

/** A function that the model may call. */
export interface Tool extends Cacheable {
  name: string;
  description?: string | undefined;
  /** JSON Schema of the arguments object; absent: no arguments. */
  parameters?: Readonly<Record<string, unknown>> | undefined;
  /** Makes the model follow the schema, if the provider supports it. */
  strict?: boolean | undefined;
}

/** Whether the model may call tools, must call one, or must call the named one. Absent: `auto`. */
export type ToolChoice = 'auto' | 'none' | 'required' | { name: string };

/**
 * Whether and how a model reasons, as in Anthropic's interface. `default`: the model behaves as by default, even if
 * there is an effort; without this, an effort asks the model to reason.
 */
export type ReasoningMode =
  | { type: 'enabled'; budgetTokens: number; display?: string | undefined }
  | { type: 'adaptive'; display?: string | undefined }
  | { type: 'disabled' | 'default' };
