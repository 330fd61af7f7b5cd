import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * Makes issues of unions more precise: if it is clear which kind was meant, the issue is what is wrong with that kind,
 * instead of "no kind fits".
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

/** A kind was meant if the value itself fits, and only something inside it is wrong. */
function isMeant(issues: readonly Issue[]): boolean {
  return issues.every(({ path }) => path.length > 1);
}
