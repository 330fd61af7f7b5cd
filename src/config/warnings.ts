import { nearest } from '../lib/nearest.ts';
import { settingNames, type Environment } from './config.ts';

const PREFIX = 'ZASTAVA_';
/** No settings, but of use to those who have to do with Zastava: clients, its tests and benchmarks. */
const others = new Set(['ZASTAVA_KEY', 'ZASTAVA_TEST_POSTGRES_URL', 'ZASTAVA_EVALUATION_DATA']);
/** What Kubernetes sets in every pod for a service whose name begins with `zastava`, unless the pod switches it off. */
const serviceLink = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;
const serviceAddress = /^(tcp|udp|sctp):\/\//;

/**
 * What is set in the environment and has no effect, although it looks as if it was meant to; a line each. No reason not
 * to start: others may set variables of such names as well.
 */
export function settingWarnings(env: Environment): string[] {
  const set = Object.keys(env).filter((name) => name.startsWith(PREFIX) && env[name] !== '');
  const unknown = set.filter((name) => !isKnown(name, env[name] ?? ''));
  return [...unknown.toSorted().map(unknownSetting), ...withoutBucket(set)];
}

function isKnown(name: string, value: string): boolean {
  const isLink = serviceLink.test(name) || (name.endsWith('_PORT') && serviceAddress.test(value));
  return settingNames.includes(name) || others.has(name) || isLink;
}

function unknownSetting(name: string): string {
  // What all of them begin with says nothing of which is meant.
  const names = settingNames.map((known) => known.slice(PREFIX.length));
  const meant = nearest(name.slice(PREFIX.length), names);
  const hint = meant === undefined ? '' : ` (did you mean ${PREFIX}${meant}?)`;
  return `${name} is no setting of this version, and has no effect${hint}`;
}

function withoutBucket(set: readonly string[]): string[] {
  const bucket = 'ZASTAVA_IMAGES_S3_BUCKET';
  const parts = set.filter((name) => name.startsWith('ZASTAVA_IMAGES_S3_'));
  const known = parts.filter((name) => settingNames.includes(name)).toSorted();
  if (known.length === 0 || set.includes(bucket)) return [];
  return [`${known.join(', ')}: no effect without ${bucket}, images are kept as usual`];
}
