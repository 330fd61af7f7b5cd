import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * What is wrong, as near to the cause as it can be told: where a value may be one of several things and it is
 * clear which was meant, what is wrong with that one, instead of that it is none of them.
 */
export function nearestIssues(issues: readonly Issue[]): Issue[] {
  return issues.flatMap((issue) => {
    const [meant, ...others] = issue.code === 'invalid_union' ? issue.errors.filter(isMeant) : [];
    if (!meant || others.length > 0) return [issue];
    return nearestIssues(meant).map((inner) => ({
      ...inner,
      path: [...issue.path, ...inner.path],
    }));
  });
}

/** What fits on the outside was meant: a value of another type, or a list of other things, does not. */
function isMeant(issues: readonly Issue[]): boolean {
  return issues.every(({ path }) => path.length > 1);
}
