import type { z } from 'zod';
import type { ErrorDetail } from '../lib/errors.ts';

type Issue = z.core.$ZodIssue;

/**
 * What is wrong with a body, one problem for each field: if a value has the wrong type, all other checks fail too, and
 * would only mislead.
 */
export function problemsOf(issues: readonly Issue[], body: unknown): ErrorDetail[] {
  const problems = new Map<string, ErrorDetail>();
  for (const issue of issues) {
    const path = issue.path.join('.');
    if (!problems.has(path)) problems.set(path, { path, message: wordsOf(issue, body) });
  }
  return [...problems.values()];
}

function wordsOf(issue: Issue, body: unknown): string {
  const missing = issue.code !== 'custom' && valueAt(body, issue.path) === undefined;
  if (missing) return 'is required';
  // A schema that says something of its own says it better.
  return libraryWords.test(issue.message) ? `must be ${wantedBy(issue)}` : issue.message;
}

/** How the library's own texts begin, of those that `wantedBy` knows. */
const libraryWords = /^(?:Invalid (?:input|option)|Too (?:big|small): expected )/;

function wantedBy(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] ?? `of type ${issue.expected}`;
    case 'invalid_value':
      return oneOf(issue.values.map((value) => JSON.stringify(value)));
    case 'invalid_union':
      return oneOf(issue.errors.flatMap(([first]) => (first ? [wantedBy(first)] : [])));
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

function oneOf(wanted: string[]): string {
  const different = [...new Set(wanted)];
  return different.length === 0 ? 'one of the values that are taken' : different.join(' or ');
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body;
  for (const name of path)
    value = (value as Record<PropertyKey, unknown> | null | undefined)?.[name];
  return value;
}
