/** The operator's own fields for the body of each request for a text. */
import { isFields } from './import/fields.ts';

export type ExtraBody = Readonly<Record<string, unknown>>;

/** Bytes of JSON. Each request holds money for all of them. */
export const EXTRA_BODY_BYTES_MAX = 16 * 1024;

/** Fields that the gateway itself writes into requests, with their names in all dialects. */
const ours: ReadonlySet<string> = new Set([
  'model',
  'models',
  'messages',
  'input',
  'contents',
  'prompt',
  'stream',
  'stream_options',
  'background',
]);
/** Fields that would make an answer longer than its hold, wherever they are. */
const capped: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_new_tokens',
  'maxoutputtokens',
  'num_predict',
  'n',
  'best_of',
  'candidatecount',
  'num_return_sequences',
]);

/** What is wrong with the fields, and the path of the wrong one. */
export function extraBodyProblem(
  body: ExtraBody,
): { path: readonly string[]; message: string } | undefined {
  const size = Buffer.byteLength(JSON.stringify(body));
  if (size > EXTRA_BODY_BYTES_MAX) {
    return { path: [], message: `must have at most ${EXTRA_BODY_BYTES_MAX} bytes of JSON` };
  }
  for (const name of Object.keys(body)) {
    if (ours.has(name.toLowerCase())) {
      return { path: [name], message: 'is set by the gateway in each request: leave it out' };
    }
  }
  return problemIn(body, []);
}

function problemIn(value: unknown, path: readonly string[]): ReturnType<typeof extraBodyProblem> {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { path, message: 'must be a finite number' };
  }
  if (typeof value === 'string' && value.includes('${')) {
    return { path, message: 'has no variables, since it is shown: put secrets into headers' };
  }
  const entries = Array.isArray(value)
    ? [...value.entries()]
    : isFields(value)
      ? Object.entries(value)
      : [];
  for (const [name, inner] of entries) {
    const at = [...path, String(name)];
    if (typeof name === 'string' && capped.has(name.toLowerCase())) {
      return { path: at, message: 'would change how much an answer can cost: leave it out' };
    }
    const problem = problemIn(inner, at);
    if (problem) return problem;
  }
  return undefined;
}

/** The bytes that the fields add to a request. */
export function bytesOf(body: ExtraBody | undefined): number {
  return body === undefined ? 0 : Buffer.byteLength(JSON.stringify(body));
}
