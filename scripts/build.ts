/**
 * Compiles the product with its runtime into one file that needs nothing installed, and writes its bill of materials
 * beside it (`FILE.cdx.json`).
 */
import { resolve } from 'node:path';
import { billOfMaterials } from './bill-of-materials.ts';
import { compile, installedFile } from './compile.ts';
import { readWords } from './read-words.ts';

const { positionals } = readWords('npm run build -- [FILE]   dist/zastava by default', {});
const outfile = resolve(positionals[0] ?? installedFile);
await compile(outfile);
console.log(`wrote ${outfile}: start it with \`${outfile} serve\``);
const bill = `${outfile}.cdx.json`;
await Bun.write(bill, await billOfMaterials());
console.log(`wrote ${bill}: its bill of materials (CycloneDX)`);
