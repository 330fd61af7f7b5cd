// client: Spectral
// kind: document
// npm: @stoplight/spectral-cli@latest
import { writeFileSync } from 'node:fs';
import { ended, finish, writeDocument } from './document.mjs';

await writeDocument();
// Paths end in a slash by specification.
writeFileSync(
  '.spectral.yaml',
  'extends: ["spectral:oas"]\nrules: { path-keys-no-trailing-slash: off }\n',
);
finish(ended('node_modules/.bin/spectral', ['lint', 'openapi.json', '--fail-severity', 'hint']));
