/** The drawing of the modules in docs/architecture.md agrees with the table of allowed imports. */
import { expect, test } from 'bun:test';
import { allowedImports } from '../../scripts/imports/table.ts';

test('every part of the sources is in the drawing', async () => {
  const text = await Bun.file(`${import.meta.dir}/../../docs/architecture.md`).text();
  const drawing = /^```\n([\s\S]*?)^```/m.exec(text)?.[1] ?? '';
  const parts = new Set([...drawing.matchAll(/[\w-]+/g)].map(([word]) => word));
  expect(Object.keys(allowedImports).filter((part) => !parts.has(part))).toEqual([]);
});
