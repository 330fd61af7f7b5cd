import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * Makes issues more precise: if a value may be one of several kinds, and it is clear which one was meant, it says what
 * is wrong with that one instead of "none of them fits".
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

/** A kind was meant if the value itself fits and only something inside it does not. */
function isMeant(issues: readonly Issue[]): boolean {
  return issues.every(({ path }) => path.length > 1);
}
