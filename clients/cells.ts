/** What every client is run through, and what came of it. */

/** What is tried of a library, each with its name in the table. */
export const cells = {
  chat: 'chat',
  stream: 'stream',
  tools: 'tools',
  image: 'image',
  tool_image: 'image from a tool',
  structured: 'structured output',
  reasoning: 'reasoning',
  overflow: 'overflow',
  funds: '402',
  cut: 'cut stream',
  abort: 'abort',
} as const;

export type Cell = keyof typeof cells;

/** The models of the campaign: each name on an upstream of another dialect. */
export const models = {
  'gpt-5.1': 'openai',
  'claude-sonnet-4-5': 'anthropic',
  'quasar-1': 'gemini',
} as const;

export type ModelName = keyof typeof models;

export const modelNames = Object.keys(models) as ModelName[];

/** `none`: the client has no such feature. */
export type Verdict = 'pass' | 'refused' | 'fails' | 'none';

export interface Outcome {
  verdict: Verdict;
  /** What the gateway or the client said. */
  note?: string | undefined;
}

/**
 * What came of one client in one version. The outer keys of `outcomes` are the columns of its table: cells for a
 * library, models for an agent, and `document` for a tool that reads the OpenAPI document.
 */
export interface Result {
  client: string;
  kind: 'sdk' | 'agent' | 'document';
  version: string;
  /** YYYY-MM-DD */
  date: string;
  outcomes: Record<string, Partial<Record<ModelName, Outcome>>>;
  /** Faults that were judged to be the client's own, by cell: the reason. */
  clientsFault: Record<string, string>;
  /** Why it could not be tried at all. */
  untried?: string | undefined;
}
