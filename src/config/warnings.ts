import { readFile } from 'node:fs/promises';
import { messageOf } from '../lib/errors.ts';
import { nearest } from '../lib/nearest.ts';
import { settingNames, type Config } from './config.ts';
import type { Environment } from './forms.ts';

const PREFIX = 'ZASTAVA_';
/** Not settings, but variables of Zastava's clients, tests and benchmarks. */
const others = new Set(['ZASTAVA_KEY', 'ZASTAVA_TEST_POSTGRES_URL', 'ZASTAVA_EVALUATION_DATA']);
/** Kubernetes sets these in every pod for a service whose name begins with `zastava`, unless the pod disables it. */
const serviceLink = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;
const serviceAddress = /^(tcp|udp|sctp):\/\//;

/**
 * Finds variables that look like settings but have no effect, one line each. They do not prevent a start, since other
 * programs may use such names as well.
 */
export function settingWarnings(env: Environment): string[] {
  const set = Object.keys(env).filter((name) => name.startsWith(PREFIX) && env[name] !== '');
  const unknown = set.filter((name) => !isKnown(name, env[name] ?? ''));
  return [...unknown.toSorted().map(unknownSetting), ...withoutBucket(set), ...withoutSqlite(set)];
}

function isKnown(name: string, value: string): boolean {
  const isLink = serviceLink.test(name) || (name.endsWith('_PORT') && serviceAddress.test(value));
  return settingNames.includes(name) || others.has(name) || isLink;
}

function unknownSetting(name: string): string {
  // Compared without the prefix that all names share.
  const names = settingNames.map((known) => known.slice(PREFIX.length));
  const meant = nearest(name.slice(PREFIX.length), names);
  const hint = meant === undefined ? '' : ` (did you mean ${PREFIX}${meant}?)`;
  return `${name} is not a setting of this version, and has no effect${hint}`;
}

function withoutBucket(set: readonly string[]): string[] {
  const bucket = 'ZASTAVA_IMAGES_S3_BUCKET';
  const parts = set.filter((name) => name.startsWith('ZASTAVA_IMAGES_S3_'));
  const known = parts.filter((name) => settingNames.includes(name)).toSorted();
  if (known.length === 0 || set.includes(bucket)) return [];
  return [`${known.join(', ')}: no effect without ${bucket}, images are kept as usual`];
}

function withoutSqlite(set: readonly string[]): string[] {
  const [cache, url] = ['ZASTAVA_SQLITE_CACHE_MIB', 'ZASTAVA_DATABASE_URL'];
  return set.includes(cache) && set.includes(url)
    ? [`${cache}: no effect with ${url}, PostgreSQL has its own cache`]
    : [];
}

/**
 * What is wrong with NODE_EXTRA_CA_CERTS. The runtime reads that file, and silently ignores it if it can't.
 * @returns undefined if the variable is not set, or the file contains certificates
 */
export async function certificatesProblem({ env }: Config): Promise<string | undefined> {
  const file = env['NODE_EXTRA_CA_CERTS'];
  if (!file) return undefined;
  try {
    const text = await readFile(file, 'latin1');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return undefined;
    return `NODE_EXTRA_CA_CERTS: ${file} holds no certificate in PEM form`;
  } catch (error) {
    return `NODE_EXTRA_CA_CERTS: ${file} can't be read, so it is not trusted: ${messageOf(error)}`;
  }
}
