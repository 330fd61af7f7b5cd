import type { z } from 'zod';
import { DomainError, type ErrorDetail } from '../../lib/errors.ts';

type Issue = z.core.$ZodIssue;

/** A list of a million wrong values has a million problems; an error names only so many. */
const PROBLEMS_MAX = 50;

/** Checks a body against its schema. @throws `invalid_request` that names the wrong fields */
export function parseBody(schema: z.ZodType, value: unknown): unknown {
  const parsed = tryParse(schema, value);
  if (parsed.success) return parsed.data;
  const issues = nearestIssues(parsed.error.issues);
  const details = problemsOf(issues.slice(0, PROBLEMS_MAX), value);
  const words = details.map((detail) => `${detail.path}: ${detail.message}`);
  if (issues.length > PROBLEMS_MAX) words.push(`and ${issues.length - PROBLEMS_MAX} more`);
  throw new DomainError('invalid_request', words.join('; '), { details });
}

/** Some values make a check of the library throw, e.g. a `length` that is an object. */
function tryParse(schema: z.ZodType, value: unknown) {
  try {
    return schema.safeParse(value);
  } catch (cause) {
    const message = 'a value in the request body has the wrong type for this operation';
    throw new DomainError('invalid_request', message, { cause });
  }
}

/**
 * Makes issues of unions more precise: if it is clear which kind was meant, the issue is what is wrong with that kind,
 * instead of "no kind fits".
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

/** The problems of a body, one for each field: a value of the wrong type fails all other checks too. */
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

/** How zod's own messages begin. A schema's own message is better, and stays. */
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
