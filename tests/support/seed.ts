/**
 * Seeds the random inputs of tests. They are the same at every run, so that a test fails only because of a change; the
 * environment's `SEED` gives others.
 */
export const seed = Number(process.env['SEED'] ?? 1);
