/**
 * Checks that a process has the secret that its database belongs to. The database stores a fingerprint of the secret,
 * which does not reveal it. A process with a different secret would encrypt provider keys that no server can read, and
 * sign tokens that no server accepts.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Act } from './audit/index.ts';
import {
  ConfigError,
  findSecret,
  makeSecret,
  readPreviousSecret,
  secretFile,
  type Config,
  type GivenSecret,
} from './config/index.ts';
import {
  acquireProcessLock,
  installationName,
  readSetting,
  serverLockFile,
  writeSetting,
  type Database,
} from './db/index.ts';

const SETTING = 'secret_fingerprint';
const LOST = 'where it is lost: zastava secret adopt';

/** The secret that signs and encrypts, and the one that is also accepted while the secret is being changed. */
export interface Secrets {
  secret: Uint8Array<ArrayBuffer>;
  previous: Uint8Array<ArrayBuffer> | undefined;
  /** The database had another secret until now. */
  isNew?: boolean;
}

/**
 * Reads the secrets of this process and checks them against the database.
 * - A database without a fingerprint gets one from the first process.
 * - If a server's previous secret is the database's, the server changes the database over to its new one.
 * - A command that was given both secrets encrypts with the one that the servers use.
 * - A server with an unknown secret may start if no other server uses the database; nodes must share theirs.
 * @param act recorded if the database's secret changes
 * @throws ConfigError if the secret is not the database's, or is missing although the database has one
 */
export async function openSecrets(
  db: Database,
  config: Config,
  asServer: boolean,
  act: Act,
): Promise<Secrets> {
  // In this order, since another process writes the file before its fingerprint.
  const known = await readSetting(db, SETTING);
  const given = await findSecret(config);
  const previous = readPreviousSecret(config);
  if (known === undefined) return begin(db, config, asServer, given, act);
  if (given && isOf(known, given.bytes)) return { secret: given.bytes, previous };
  const isChanging = previous !== undefined && isOf(known, previous);
  if (given && isChanging && !asServer) return { secret: previous, previous: given.bytes };
  const decides = asServer && (isChanging || (await isAlone(db, config)));
  if (!decides) throw given ? foreign(given) : absent(config);
  if (!isChanging) refuseServed(config);
  const { bytes: secret } = given ?? (await makeSecret(config));
  await db.transaction(async (tx) => {
    await writeSetting(tx, SETTING, fingerprintOf(secret));
    await act.record(tx, {});
  });
  return { secret, previous, isNew: !isChanging };
}

/**
 * Whether no other server uses the database: SQLite has only one; PostgreSQL lists the nodes of all data directories.
 */
async function isAlone(db: Database, { dataDir }: Config): Promise<boolean> {
  if (db.dialect === 'sqlite') return true;
  const own = `${await installationName(dataDir)}/`;
  const nodes = await db.query<{ slot: string }>('SELECT slot FROM nodes');
  return nodes.every(({ slot }) => slot.startsWith(own));
}

/** A second server on the data directory is refused later; until then it must not change the secret of the first. */
function refuseServed({ dataDir }: Config): void {
  const lock = acquireProcessLock(serverLockFile(dataDir));
  if (lock) return lock.release();
  throw new ConfigError(
    `another zastava serves the data directory ${dataDir}: stop it, or set ZASTAVA_DATA_DIR to another`,
  );
}

/** Longer than the interval between two beats of a server. */
const BEAT_SEEN_MS = 6_000;

/** @throws ConfigError while a server on this or another machine uses the database */
async function refuseRunning(db: Database, config: Config): Promise<void> {
  refuseServed(config);
  // On SQLite the lock is sufficient. On PostgreSQL a dead node may still be listed, but does not beat.
  const beats = () => db.query<{ beats: string }>('SELECT SUM(beat) AS beats FROM nodes');
  const [before] = db.dialect === 'sqlite' ? [] : await beats();
  if (before?.beats == null) return;
  await Bun.sleep(BEAT_SEEN_MS);
  const [after] = await beats();
  if (Number(after?.beats) === Number(before.beats)) return;
  throw new ConfigError('a server uses the database: stop every server first');
}

/**
 * Makes the database belong to the secret of this process, for operators who have lost the former one.
 * @param act recorded if the secret changes
 * @throws ConfigError while a server uses the database: it would continue with the former secret
 * @returns where the secret comes from, and whether the database had a different one
 */
export async function adoptSecret(
  db: Database,
  config: Config,
  act: Act,
): Promise<{ where: string; changed: boolean }> {
  await refuseRunning(db, config);
  return db.transaction(async (tx) => {
    const { bytes, where } = (await findSecret(config)) ?? (await makeSecret(config));
    const known = await readSetting(tx, SETTING);
    const changed = known === undefined || !isOf(known, bytes);
    if (changed) {
      await writeSetting(tx, SETTING, fingerprintOf(bytes));
      await act.record(tx, {});
    }
    return { where, changed };
  });
}

/** For a database without a fingerprint. */
async function begin(
  db: Database,
  config: Config,
  asServer: boolean,
  given: GivenSecret | undefined,
  act: Act,
): Promise<Secrets> {
  await db.transaction(async (tx) => {
    // On SQLite no other process is in this transaction; on PostgreSQL the secret is given.
    const { bytes } = given ?? (await makeSecret(config));
    await tx.query(
      'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
      [SETTING, fingerprintOf(bytes)],
    );
  });
  // A faster process may have a different secret.
  return openSecrets(db, config, asServer, act);
}

function fingerprintOf(secret: Uint8Array): string {
  return createHmac('sha256', secret).update('zastava: fingerprint of the secret').digest('hex');
}

function isOf(fingerprint: string, secret: Uint8Array): boolean {
  const [known, own] = [Buffer.from(fingerprint), Buffer.from(fingerprintOf(secret))];
  return known.length === own.length && timingSafeEqual(known, own);
}

function foreign({ where }: GivenSecret): ConfigError {
  return new ConfigError(
    `${where}: is not the secret of this database: set ZASTAVA_SECRET to the one that its servers have; to change it, name the old one in ZASTAVA_SECRET_PREVIOUS; ${LOST}`,
  );
}

function absent(config: Config): ConfigError {
  return new ConfigError(
    `ZASTAVA_SECRET: is not set, and there is no ${secretFile(config)}, but this database has a secret: set the one that its servers have, or put the file back; ${LOST}`,
  );
}
