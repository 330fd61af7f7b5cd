/** Each whole catalogue in the documents can be applied, and its models have prices. */
import { expect, test } from 'bun:test';
import { join, resolve } from 'node:path';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { sandboxModels } from '../../src/catalogue/index.ts';
import { providerKinds, providerOptions } from '../../src/providers/index.ts';

const root = resolve(import.meta.dir, '../..');
const known = { kinds: providerKinds, options: providerOptions, builtin: [sandboxModels] };

const examples: string[] = [];
for (const file of ['README.md', 'docs/catalogue.md', 'docs/providers.md']) {
  const text = await Bun.file(join(root, file)).text();
  for (const [, block = ''] of text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)) {
    if (/^models:/m.test(block)) examples.push(block);
  }
}

test('catalogues of the documents can be applied, and price their models', () => {
  const models = examples.flatMap((text) => parseCatalogue(text, known).models);
  expect(models.map(({ facts }) => facts.provider)).toEqual(
    expect.arrayContaining(['openai', 'gigachat', 'yandex']),
  );
  expect(
    models.filter(({ facts }) => facts.price === null).map(({ facts }) => facts.model),
  ).toEqual([]);
});
