/**
 * Writes docs/openapi.json, which is generated from the code. With `--check` it writes nothing and exits 1 when the file
 * is stale.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config/index.ts';
import { openCore } from '../src/core.ts';
import { silentLog } from '../src/lib/log.ts';

const openApiFile = join(import.meta.dir, '../docs/openapi.json');

/** The document as a real gateway on an empty database returns it. */
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

const generated = await openApiText();
if (process.argv.includes('--check')) {
  const committed = await Bun.file(openApiFile)
    .text()
    .catch(() => '');
  if (committed !== generated) {
    console.error('docs/openapi.json is stale: run `npm run generate` and commit it');
    process.exitCode = 1;
  }
} else {
  await Bun.write(openApiFile, generated);
  console.log(`wrote ${openApiFile}`);
}
