/** Where a secret could appear, and in which forms. */
import { SQL } from 'bun';
import { join } from 'node:path';
import type { DatabaseConfig } from '../../../src/db/index.ts';

/** A text that was seen, by the name of the place. */
export type Places = Map<string, string[]>;

export function note(places: Places, place: string, text: string): void {
  places.set(place, [...(places.get(place) ?? []), text]);
}

/** @returns a line for each place that has the secret, plain or in a usual encoding */
export function findIn(places: Places, wanted: readonly string[], what: string, secret: string) {
  const looks = [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(secret).toString('hex'),
    JSON.stringify(secret).slice(1, -1),
  ];
  return wanted.flatMap((place) => {
    const texts = places.get(place) ?? [];
    const found = texts.find((text) => looks.some((look) => text.includes(look)));
    return found === undefined ? [] : [`${what} in ${place}: ${near(found, looks)}`];
  });
}

function near(text: string, looks: readonly string[]): string {
  const at = Math.max(...looks.map((look) => text.indexOf(look)));
  return JSON.stringify(text.slice(Math.max(0, at - 80), at + 20));
}

/** Everything stored: every byte of the data directory, or every row of the database. */
export async function dump(database: DatabaseConfig, dataDir: string): Promise<string[]> {
  const texts: string[] = [];
  for await (const name of new Bun.Glob('**/*').scan({ cwd: dataDir, dot: true })) {
    // That one is the operator's own.
    if (name === 'catalogue.yaml') continue;
    texts.push(Buffer.from(await Bun.file(join(dataDir, name)).bytes()).toString('latin1'));
  }
  if (database.kind === 'postgres') texts.push(...(await rowsOf(database.url)));
  return texts;
}

async function rowsOf(url: string): Promise<string[]> {
  const sql = new SQL(url, { max: 1 });
  try {
    const tables = (await sql.unsafe(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    )) as { name: string }[];
    const texts: string[] = [];
    for (const { name } of tables) {
      texts.push(JSON.stringify(await sql.unsafe(`SELECT * FROM ${name}`)));
    }
    return texts;
  } finally {
    await sql.close();
  }
}
