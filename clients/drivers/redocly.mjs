// client: Redocly
// kind: document
// npm: @redocly/cli@latest
import { ended, finish, writeDocument } from './document.mjs';

// Paths end in a slash by specification.
await writeDocument();
finish(
  ended('node_modules/.bin/redocly', [
    'lint',
    'openapi.json',
    '--skip-rule=no-path-trailing-slash',
  ]),
);
