import { openDatabase } from '../../../src/db/index.ts';
import { holdersIn } from './check/stored.ts';
import type { Stand } from './stand.ts';
import { becomesTrue } from './until.ts';

/**
 * Waits until a node works on no send.
 * @returns false if it still does when the time is over
 */
export function becomesQuiet(url: string, withinMs: number): Promise<boolean> {
  return becomesTrue(async () => (await metric(url, 'zastava_holds_open')) === 0, withinMs);
}

/**
 * Waits until no hold is open on any node.
 * @returns false if one is still open
 */
export async function holdsAreGone(
  { database }: Pick<Stand, 'database'>,
  withinMs: number,
): Promise<boolean> {
  const db = openDatabase(database);
  try {
    return await becomesTrue(async () => (await holdersIn(db)).length === 0, withinMs);
  } finally {
    await db.close();
  }
}

/** The value of a metric without labels. */
export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}
