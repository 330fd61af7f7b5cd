import { basename, join } from 'node:path';
import type { Result } from './cells.ts';

/** What the first lines of a driver say of its client. */
export interface Driver {
  /** Its name in the table, with the version that it asks for if there are several. */
  client: string;
  kind: Result['kind'];
  file: string;
  registry: 'npm' | 'pypi';
  packages: string[];
  /** Faults of the client itself, by cell. */
  clientsFault: Record<string, string>;
}

export const DRIVERS = join(import.meta.dir, 'drivers');

/** All drivers, one for each version that a file lists in braces: `openai@{6,7}`. */
export async function readDrivers(): Promise<Driver[]> {
  const files = await Array.fromAsync(new Bun.Glob('*.{mjs,py}').scan(DRIVERS));
  const texts = files
    .toSorted()
    .map(async (name) => parseDriver(name, await Bun.file(join(DRIVERS, name)).text()));
  return (await Promise.all(texts)).flat();
}

/** @throws if the head of the file lacks something */
export function parseDriver(file: string, text: string): Driver[] {
  const head = new Map<string, string>();
  const clientsFault: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/^(?:\/\/|#) ([\w' ]+?): (.*)$/gm)) {
    const cell = /^client's (\w+)$/.exec(name)?.[1];
    if (cell !== undefined) clientsFault[cell] = value;
    else if (!head.has(name)) head.set(name, value);
  }
  const registry = file.endsWith('.py') ? 'pypi' : head.has('pypi') ? 'pypi' : 'npm';
  const client = head.get('client');
  const packages = head.get(registry);
  if (client === undefined || packages === undefined) {
    throw new Error(`${basename(file)} must begin with lines "client:" and "${registry}:"`);
  }
  const named = head.get('kind');
  const kind = named === 'agent' || named === 'document' ? named : 'sdk';
  const versions = /\{([^}]*)\}/.exec(packages)?.[1]?.split(',');
  return (versions ?? ['']).map((version) => ({
    client: version === '' ? client : client.replace(/^\S+/, (name) => `${name} ${version}`),
    kind,
    file,
    registry,
    packages: packages.replace(/\{[^}]*\}/, version).split(/\s+/),
    clientsFault,
  }));
}

/** The lines of a driver that a person pastes, between `recipe:begin` and `recipe:end`, without their indent. */
export function recipesOf(text: string): string[] {
  const found = text.matchAll(/^.*recipe:begin.*\n([\s\S]*?)^.*recipe:end.*$/gm);
  return Array.from(found, ([, lines = '']) => {
    const indent = /^ */.exec(lines)?.[0].length ?? 0;
    return lines
      .split('\n')
      .map((line) => line.slice(indent))
      .join('\n')
      .trimEnd();
  });
}

/** The address in every recipe, which the campaign replaces by that of its own server. */
export const RECIPE_ADDRESS = 'http://127.0.0.1:8080';
