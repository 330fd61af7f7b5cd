/**
 * Compiles the product with its runtime into one file that needs nothing installed, and writes its bill of materials
 * beside it (`FILE.cdx.json`).
 * Usage: build.ts [FILE]; `dist/zastava` by default
 */
import { resolve } from 'node:path';
import { billOfMaterials } from './bill-of-materials.ts';
import { compile, installedFile } from './compile.ts';

const outfile = resolve(process.argv[2] ?? installedFile);
await compile(outfile);
console.log(`wrote ${outfile}: start it with \`${outfile} serve\``);
const bill = `${outfile}.cdx.json`;
await Bun.write(bill, await billOfMaterials());
console.log(`wrote ${bill}: its bill of materials (CycloneDX)`);
