/** What `top_p` is without being sent: all of the distribution. */
export const WHOLE_DISTRIBUTION = 1;
/** What a penalty is without being sent: none. */
export const NO_PENALTY = 0;

/**
 * A setting that asks for something. Clients send the defaults of their API by themselves: these ask for what
 * happens anyway, and a provider that knows no such setting must not refuse them.
 */
export function unlessNeutral(
  value: number | null | undefined,
  neutral: number,
): number | undefined {
  return value === neutral ? undefined : (value ?? undefined);
}
