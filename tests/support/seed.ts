/**
 * Decides what tests leave to chance. It is the same at every run, so that a change fails by its own fault alone;
 * the environment's `SEED` is another one.
 */
export const seed = Number(process.env['SEED'] ?? 1);
