import type { z } from 'zod';
import type { ErrorDetail } from '../lib/errors.ts';

type Issue = z.core.$ZodIssue;

/** The problems of a body, one for each field: a value of the wrong type fails all other checks too. */
export function problemsOf(issues: readonly Issue[], body: unknown): ErrorDetail[] {
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
