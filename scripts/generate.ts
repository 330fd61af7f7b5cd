/**
 * Writes the files that are made from the code: docs/openapi.json. With `--check` it writes nothing and
 * exits 1 when one is stale.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config/index.ts';
import { openCore } from '../src/core.ts';
import { silentLog } from '../src/lib/log.ts';

const openApiFile = join(import.meta.dir, '../docs/openapi.json');

/** The document as a server answers it: from a real gateway on an empty database. */
async function openApiText(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zastava-generate-'));
  try {
    const config = readConfig({ ZASTAVA_DATA_DIR: dataDir });
    const core = await openCore(config, { asServer: true, overrides: { log: silentLog } });
    const app = await createApp(core);
    const response = await app.fetch(new Request('http://localhost/openapi.json'));
    const document: unknown = await response.json();
    await app.stop(0);
    await core.close();
    return `${JSON.stringify(document, null, 2)}\n`;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const made = await openApiText();
if (process.argv.includes('--check')) {
  const committed = await Bun.file(openApiFile)
    .text()
    .catch(() => '');
  if (committed !== made) {
    console.error('docs/openapi.json is stale: run `npm run generate` and commit it');
    process.exitCode = 1;
  }
} else {
  await Bun.write(openApiFile, made);
  console.log(`wrote ${openApiFile}`);
}
