/**
 * Which part of `src` may import which; docs/architecture.md draws it. All other imports are forbidden, `import type`
 * included, and so are cycles.
 */

/** The parts that each part may import. A part is a folder of `src`, or a file beside the folders. */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  main: ['cli'],
  backup: ['config', 'db', 'lib', 'server-secret'],
  'copy-to-postgres': ['config', 'db', 'images', 'ledger', 'lib'],
  'trust-engine': ['config', 'db', 'lib', 'trust'],
  'server-secret': ['audit', 'config', 'db'],
  'day-zone': ['config', 'db', 'lib'],
  serve: ['app', 'audit', 'config', 'core', 'lib', 'listen', 'ollama', 'workers'],
  listen: ['app', 'config', 'core', 'lib', 'workers'],
  workers: ['config', 'lib'],
  'among-workers': ['http', 'trust', 'workers'],
  ollama: ['catalogue', 'config', 'lib', 'providers'],
  app: [
    'among-workers',
    'catalogue',
    'chat',
    'chores',
    'config',
    'core',
    'db',
    'http',
    'images',
    'ledger',
    'lib',
    'providers',
    'traces',
    'trust',
    'users',
    'workers',
  ],
  chores: ['chat', 'core', 'db', 'http', 'lib', 'users'],
  core: [
    'audit',
    'catalogue',
    'chat',
    'codes',
    'config',
    'day-zone',
    'db',
    'images',
    'ledger',
    'lib',
    'providers',
    'server-secret',
    'trust-engine',
    'users',
  ],
  http: ['audit', 'catalogue', 'chat', 'codes', 'images', 'ledger', 'lib', 'trust', 'users'],
  cli: [
    'audit',
    'backup',
    'catalogue',
    'chat',
    'codes',
    'config',
    'copy-to-postgres',
    'core',
    'ledger',
    'lib',
    'serve',
    'trust',
    'users',
    'workers',
  ],
  chat: ['audit', 'catalogue', 'db', 'images', 'ledger', 'lib', 'providers', 'users'],
  codes: ['audit', 'db', 'ledger', 'lib', 'users'],
  trust: ['audit', 'db', 'lib', 'users'],
  users: ['audit', 'db', 'lib'],
  catalogue: ['audit', 'db', 'lib'],
  ledger: ['audit', 'db', 'lib'],
  audit: ['db', 'lib'],
  images: ['db', 'lib'],
  providers: ['lib'],
  traces: ['lib'],
  db: ['lib'],
  config: ['lib'],
  lib: [],
};

/** Folders that other parts import only through their `index.ts`. */
export const indexOnly: readonly string[] = [
  'audit',
  'catalogue',
  'chat',
  'codes',
  'config',
  'db',
  'images',
  'ledger',
  'providers',
  'traces',
  'trust',
  'users',
  'workers',
];

/** Pure files: no input or output, no clock, no random numbers, and no imports of files that have these. */
export const pureFiles: readonly RegExp[] = [
  /^ledger\/(?:limit-)?rules\.ts$/,
  /^trust\/(rank|score|words)\//,
  // Every file of a dialect, except those that call the provider, or fetch or load something.
  /^providers\/(?!(?:routing|shared)\/)[^/]+\/(?!(?:provider|access-token|image-url|load|look)\.ts$)[^/]+\.ts$/,
];

/** The parts whose code may be imported by a pure file. */
export const pureImports: readonly string[] = ['lib', 'providers'];

/** Only these touch `process` and the environment. */
export const processFiles: readonly RegExp[] = [/^main\.ts$/, /^config\//];
