/** Runs a tool on the OpenAPI document of the gateway. A driver calls `finish` with what came of it. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

export const address = process.env.ADDRESS;
const TEXT_CHARACTERS = 1500;

/** Writes the gateway's document to openapi.json. */
export async function writeDocument() {
  const document = await (await fetch(`${address}/openapi.json`)).json();
  writeFileSync('openapi.json', JSON.stringify(document, null, 1));
  return document;
}

/** Runs an installed program. */
export function ended(program, words) {
  const run = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  process.stderr.write(`${run.stdout}\n${run.stderr}`);
  return { ok: run.status === 0, said: run.stdout.slice(-TEXT_CHARACTERS) };
}

export function finish(result) {
  process.stdout.write(`@@ ${JSON.stringify(result)}\n`);
  process.exit(0);
}
