/**
 * Writes the files that are generated from the code: docs/openapi.json, and the page's types made from it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config/index.ts';
import { openCore } from '../src/core.ts';
import { silentLog } from '../src/lib/log.ts';
import { type OpenApiDocument, PAGE_TYPES_FILE, pageTypes } from './page-types.ts';
import { readWords } from './read-words.ts';

const { values } = readWords(
  'npm run generate -- [--check]   --check writes nothing, and ends with 1 if a file is stale',
  { check: { type: 'boolean' } },
  false,
);

/** The document as a real gateway with an empty database returns it. */
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

const root = join(import.meta.dir, '..');
const openApi = await openApiText();
const generated: Record<string, string> = {
  'docs/openapi.json': openApi,
  [PAGE_TYPES_FILE]: await pageTypes(JSON.parse(openApi) as OpenApiDocument),
};
for (const [path, text] of Object.entries(generated)) {
  const file = Bun.file(join(root, path));
  if (!values.check) {
    await file.write(text);
    console.log(`wrote ${path}`);
  } else if ((await file.text().catch(() => '')) !== text) {
    console.error(`${path} is stale: run \`npm run generate\` and commit it`);
    process.exitCode = 1;
  }
}
