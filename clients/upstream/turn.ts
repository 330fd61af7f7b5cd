/** A request to a model as the scripted upstream reads it from any dialect, and what it answers. */

export interface Picture {
  type: string;
  bytes: number;
}

export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
  pictures: Picture[];
  calls: Call[];
}

export interface Tool {
  name: string;
  description: string;
  schema: Record<string, unknown>;
}

export interface Turn {
  messages: Message[];
  tools: Tool[];
  /** True if the model must call a tool. */
  mustCall: boolean;
  /** The schema that the answer must fit. */
  schema: Record<string, unknown> | undefined;
  streamed: boolean;
}

export interface Reply {
  reasoning?: string;
  text?: string;
  call?: Call;
  /** Pieces come slowly, so that the client can leave. */
  slow?: boolean;
  /** The connection breaks after the first pieces. */
  cut?: boolean;
}

export function message(role: Message['role'], text = ''): Message {
  return { role, text, pictures: [], calls: [] };
}

/** A text of a body; empty if the value is not a text. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The size of base64 in bytes. */
export function bytesOf(base64: string): number {
  return Buffer.from(base64, 'base64').length;
}
