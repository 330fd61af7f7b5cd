import type { z } from 'zod';
import { DomainError, type ErrorDetail, listOfDetails } from '../../lib/errors.ts';

type Issue = z.core.$ZodIssue;

/** The most problems that an error names: a list of a million wrong values has a million problems. */
const PROBLEMS_MAX = 50;

/** Checks a body against its schema. @throws `invalid_request` that names the wrong fields */
export function parseBody(schema: z.ZodType, value: unknown): unknown {
  const { success, data, error } = tryParse(schema, value);
  if (success) return data;
  return refuse(nearestIssues(error.issues), value);
}

/**
 * The same for a body of many values. A list of wrong items is refused by its first problems, since all of them
 * together could take more memory than the body.
 */
export function parseLargeBody(schema: z.ZodType, value: object): unknown {
  for (const { body, field, start } of slicesOf(value)) {
    const { issues = [] } = tryParse(schema, body).error ?? {};
    // A few problems may only be due to the cut. Then the whole list decides.
    if (problemsIn(issues) <= PROBLEMS_MAX) continue;
    refuse(
      nearestIssues(issues).map((issue) => moved(issue, field, start)),
      value,
      'more',
    );
  }
  return parseBody(schema, value);
}

function refuse(issues: readonly Issue[], value: unknown, rest?: string): never {
  const details = problemsOf(issues.slice(0, PROBLEMS_MAX), value);
  const left = issues.length - PROBLEMS_MAX;
  const more = left > 0 ? `; and ${rest ?? `${left} more`}` : '';
  throw new DomainError('invalid_request', listOfDetails(details) + more, { details });
}

/** The items of a long list that are checked together, so that a list of wrong items is refused by the first of them. */
const SLICE_ITEMS = 1_000;

function isLong(list: unknown): list is unknown[] {
  return Array.isArray(list) && list.length > SLICE_ITEMS;
}

/** The body, once for each part of its long lists, with one item of each other list. */
function* slicesOf(value: object) {
  const fields = Object.entries(value) as [string, unknown][];
  if (!fields.some(([, list]) => isLong(list))) return;
  const short = fields.map(([name, list]) => [name, isLong(list) ? list.slice(0, 1) : list]);
  for (const [field, list] of fields) {
    if (!isLong(list)) continue;
    for (let start = 0; start < list.length; start += SLICE_ITEMS) {
      const part = list.slice(start, start + SLICE_ITEMS);
      const body = { ...(Object.fromEntries(short) as object), [field]: part };
      yield { body, field, start };
    }
  }
}

/** The number of problems; of a union's kinds, the one with the most problems counts. */
function problemsIn(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => {
    const inner = issue.code === 'invalid_union' ? issue.errors.map(problemsIn) : [];
    return sum + Math.max(1, ...inner);
  }, 0);
}

/** An issue of a slice, at its place in the whole list. */
function moved(issue: Issue, field: string, start: number): Issue {
  const [first, index, ...rest] = issue.path;
  if (first !== field || typeof index !== 'number') return issue;
  return { ...issue, path: [first, index + start, ...rest] };
}

/** Some values make a check of the library throw, such as a `length` that is an object. */
function tryParse(schema: z.ZodType, value: unknown) {
  try {
    return schema.safeParse(value);
  } catch (cause) {
    const message = 'a value in the request body has the wrong type for this operation';
    throw new DomainError('invalid_request', message, { cause });
  }
}

/**
 * Makes issues of unions more precise: if it is clear which kind was meant, the issue says what is wrong with that
 * kind, instead of "no kind fits".
 */
function nearestIssues(issues: readonly Issue[]): Issue[] {
  return issues.flatMap((issue) => {
    const [meant, ...others] = issue.code === 'invalid_union' ? issue.errors.filter(isMeant) : [];
    if (!meant || others.length > 0) return [issue];
    return nearestIssues(meant).map((inner) => ({
      ...inner,
      path: [...issue.path, ...inner.path],
    }));
  });
}

/** A kind was meant if the value itself fits, and only something inside it is wrong. */
function isMeant(issues: readonly Issue[]): boolean {
  return issues.every(({ path }) => path.length > 1);
}

/** The problems of a body, at most one for each field: a value of the wrong type fails all other checks too. */
function problemsOf(issues: readonly Issue[], body: unknown): ErrorDetail[] {
  const problems = new Map<string, ErrorDetail>();
  for (const issue of issues) {
    const path = issue.path.join('.');
    if (!problems.has(path)) problems.set(path, { path, message: messageFor(issue, body) });
  }
  return [...problems.values()];
}

function messageFor(issue: Issue, body: unknown): string {
  const missing = issue.code !== 'custom' && valueAt(body, issue.path) === undefined;
  if (missing) return 'is required';
  return zodMessage.test(issue.message) ? `must be ${expectedBy(issue)}` : issue.message;
}

/** The beginnings of zod's own messages. A schema's own message is better, and is kept. */
const zodMessage = /^(?:Invalid (?:input|option)|Too (?:big|small): expected )/;

function expectedBy(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] ?? `of type ${issue.expected}`;
    case 'invalid_value':
      return oneOf(issue.values.map((value) => JSON.stringify(value)));
    case 'invalid_union':
      return oneOf(issue.errors.flatMap(([first]) => (first ? [expectedBy(first)] : [])));
    case 'too_small':
      return sized('at least', issue.minimum, issue.origin);
    case 'too_big':
      return sized('at most', issue.maximum, issue.origin);
    default:
      return 'something else';
  }
}

function sized(bound: string, size: number | bigint, of: string): string {
  if (of === 'array') return `a list of ${bound} ${size}`;
  return of === 'string' ? `a string of ${bound} ${size} characters` : `${bound} ${size}`;
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function oneOf(expected: string[]): string {
  const different = [...new Set(expected)];
  return different.length === 0 ? 'one of the allowed values' : different.join(' or ');
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body;
  for (const name of path)
    value = (value as Record<PropertyKey, unknown> | null | undefined)?.[name];
  return value;
}
