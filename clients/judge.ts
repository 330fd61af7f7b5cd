import type { Cell, Outcome } from './cells.ts';
import type { Exchange } from './recorder.ts';

/** What a driver says of a cell. */
export interface Said {
  value?: unknown;
  error?: { name: string; message: string; status?: number | null };
}

/** What else is known: the gateway's answers, and how many streams it left upstream meanwhile. */
export interface Seen {
  exchanges: readonly Exchange[];
  left: number;
  /** The stream was read to its end after the client left, as docs/money.md says, and its usage was charged. */
  readOnAndCharged: boolean;
  /** The size of the picture in bytes. */
  pictureBytes: number;
}

/** Whether a cell passes. Pure. */
export function judge(cell: Cell, said: Said, seen: Seen): Outcome {
  const problem = problemOf(cell, said, seen);
  if (problem === undefined) return { verdict: 'pass' };
  const field = refusedField(seen.exchanges);
  if (field !== undefined) return { verdict: 'refused', note: field };
  return { verdict: 'fails', note: problem };
}

function problemOf(cell: Cell, { value, error }: Said, seen: Seen): string | undefined {
  switch (cell) {
    case 'overflow':
      return expectedRefusal({ status: 400, code: 'context_length_exceeded' }, error, seen);
    case 'funds':
      return expectedRefusal({ status: 402, code: 'insufficient_funds' }, error, seen);
    case 'cut':
      return error ? undefined : 'the stream broke, and the client took it for whole';
    case 'abort':
      if (error) return wordsOf(error);
      return seen.left > 0 || seen.readOnAndCharged ? undefined : 'the provider was not left';
    default:
      return error ? wordsOf(error) : wrongValue(cell, value, seen);
  }
}

/** The client must show the refusal, and must not have repeated the request. */
function expectedRefusal(
  expected: { status: number; code: string },
  error: Said['error'],
  { exchanges }: Seen,
): string | undefined {
  if (!error) return 'the client reported no error';
  const refused = exchanges.filter(({ status }) => status >= 400);
  const [first] = refused;
  if (first?.status !== expected.status || !first.error.includes(expected.code)) {
    return `the gateway answered ${first?.status ?? 'nothing'}: ${first?.error ?? wordsOf(error)}`;
  }
  if (refused.length > 1) return `the client sent the request ${refused.length} times`;
  return undefined;
}

function wrongValue(cell: Cell, value: unknown, { pictureBytes }: Seen): string | undefined {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const got = `got ${text.slice(0, 200)}`;
  const picture = `image/png of ${pictureBytes} bytes`;
  switch (cell) {
    case 'chat':
      return text.includes('Good morning') ? undefined : got;
    case 'stream': {
      const { pieces = 0 } = value as { pieces?: number };
      return text.includes('Good morning') && pieces > 1 ? undefined : got;
    }
    case 'tools':
      return text.includes('Paris 21') && text.includes('Rome 24') ? undefined : got;
    case 'image':
    case 'tool_image':
      return text.includes(picture) ? undefined : got;
    case 'structured':
      return isAda(value) ? undefined : got;
    case 'reasoning':
      return reasoningProblem(value);
    default:
      return undefined;
  }
}

function isAda(value: unknown): boolean {
  const { name, age } = (value ?? {}) as { name?: unknown; age?: unknown };
  return name === 'Ada' && age === 36;
}

/** Text alone from clients whose interface has no place for reasoning; else both. */
function reasoningProblem(value: unknown): string | undefined {
  const { text, reasoning } =
    typeof value === 'string' ? { text: value } : (value as { text?: string; reasoning?: string });
  if (!text?.includes('42')) return `got ${JSON.stringify(value)}`;
  if (reasoning === undefined || reasoning.includes('Let me think')) return undefined;
  return 'the reasoning did not arrive';
}

function wordsOf({ name, message, status }: NonNullable<Said['error']>): string {
  return `${name}${status == null ? '' : ` ${status}`}: ${message}`;
}

/** The gateway's own words for a field that it does not take. */
function refusedField(exchanges: readonly Exchange[]): string | undefined {
  const refused = exchanges.find(({ status }) => status === 400 || status === 422);
  if (!refused) return undefined;
  try {
    const { error } = JSON.parse(refused.error) as {
      error?: { message?: string; param?: string | null; code?: string };
    };
    return error?.code === 'invalid_request' ? error.message : undefined;
  } catch {
    return undefined;
  }
}
