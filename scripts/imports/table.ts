/**
 * Which part of `src` may import which; docs/architecture.md draws it. Anything not listed is forbidden,
 * `import type` included, and no chain of imports may come back to its start.
 */

/** What a part may import, besides its own files. A part is a folder of `src`, or a file beside them. */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  main: ['cli'],
  backup: ['config', 'db', 'lib', 'server-secret'],
  'copy-to-postgres': ['config', 'db', 'images', 'ledger', 'lib'],
  // Holds the secret that a process was given against the one of the database.
  'server-secret': ['config', 'db'],
  serve: ['app', 'config', 'core', 'lib', 'ollama'],
  // Looks for a local Ollama, for the server alone.
  ollama: ['catalogue', 'config', 'lib', 'providers'],
  app: [
    'catalogue',
    'chat',
    'config',
    'core',
    'db',
    'http',
    'images',
    'ledger',
    'lib',
    'providers',
    'trust',
    'users',
  ],
  // The modules below the interfaces, wired; what the command line and the server share.
  core: [
    'catalogue',
    'chat',
    'config',
    'db',
    'images',
    'ledger',
    'lib',
    'providers',
    'server-secret',
    'trust',
    'users',
  ],
  http: ['catalogue', 'chat', 'images', 'ledger', 'lib', 'trust', 'users'],
  cli: [
    'backup',
    'catalogue',
    'chat',
    'config',
    'copy-to-postgres',
    'core',
    'ledger',
    'lib',
    'serve',
    'trust',
    'users',
  ],
  chat: ['catalogue', 'db', 'images', 'ledger', 'lib', 'providers', 'users'],
  trust: ['db', 'lib', 'users'],
  users: ['db', 'lib'],
  catalogue: ['db', 'lib'],
  ledger: ['db', 'lib'],
  images: ['db', 'lib'],
  providers: ['lib'],
  db: ['lib'],
  config: ['lib'],
  lib: [],
};

/** Folders that outsiders import through their `index.ts` alone. */
export const indexOnly: readonly string[] = [
  'catalogue',
  'chat',
  'config',
  'db',
  'images',
  'ledger',
  'providers',
  'trust',
  'users',
];

/** No input or output, no clock, no chance: these compute, and import nothing that does otherwise. */
export const pureFiles: readonly RegExp[] = [
  /^ledger\/(?:limit-)?rules\.ts$/,
  /^trust\/(rank|score)\//,
  // Every file of a dialect converts, but the one that calls and those that fetch or load something for it.
  /^providers\/(?!(?:routing|shared)\/)[^/]+\/(?!(?:provider|access-token|image-url|load|look)\.ts$)[^/]+\.ts$/,
];

/** The parts whose code may be imported by a pure file. */
export const pureImports: readonly string[] = ['lib', 'providers'];

/** Only these touch `process` and the environment. */
export const processFiles: readonly RegExp[] = [/^main\.ts$/, /^config\//];
