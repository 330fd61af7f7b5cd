import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AuditLog, type Act } from './audit/index.ts';
import { Catalogue, OLLAMA, presets, resealKeys, sandboxModels } from './catalogue/index.ts';
import { openRecords, Rooms } from './chat/index.ts';
import { openCodes } from './codes/index.ts';
import { ConfigError, type Config } from './config/index.ts';
import {
  migrate,
  openDatabase,
  refuseHiddenPooling,
  type Database,
  type OpenedDatabase,
} from './db/index.ts';
import { DatabaseStore, DiskStore, ImageStore, S3Store } from './images/index.ts';
import { openBooks } from './ledger/index.ts';
import { systemClock, type Clock } from './lib/clock.ts';
import { type DatabaseUnavailableError, messageOf } from './lib/errors.ts';
import { reachableUrl } from './lib/listening-url.ts';
import { createLog, type Log } from './lib/log.ts';
import { SecretBox } from './lib/secret-box.ts';
import { providerKinds, providerOptions } from './providers/index.ts';
import { openDayZone } from './day-zone.ts';
import { adoptSecret, openSecrets, type Secrets } from './server-secret.ts';
import { openTrust } from './trust-engine.ts';
import {
  ApiKeys,
  Authenticator,
  CallerCache,
  KeyChanges,
  LoginThrottle,
  Passwords,
  resealSecondFactors,
  SecondFactors,
  SecurityLog,
  Tokens,
  TrustAllowance,
  Users,
  type HashCost,
} from './users/index.ts';

/** Replacements for tests. */
export interface Overrides {
  clock?: Clock;
  log?: Log;
  /** How long a check waits for a site's page, in milliseconds. */
  pageWaitMs?: number | undefined;
  /** The work of hashing a password. */
  hashCost?: HashCost | undefined;
  /** How long reading a catalogue that was sent may take, in milliseconds. */
  readingMaxMs?: number | undefined;
}

export interface CoreOptions {
  /** Only a server's environment switches presets on and off. */
  asServer: boolean;
  /** True for a command that may encrypt provider keys, for which it needs the server's secret. */
  seals?: boolean;
  /** Called for each failure of the database, from the first statement on. */
  watch?: (error: DatabaseUnavailableError) => void;
  overrides?: Overrides;
}

/** The connected modules that the HTTP interface and the command line share. */
export type Core = Awaited<ReturnType<typeof openCore>>;

/**
 * Opens the database, brings its schema up to date and constructs every service on it.
 * @throws ConfigError when the data directory, the database or the secret can't be used
 */
export async function openCore(config: Config, options: CoreOptions) {
  const { database, dataDir } = config;
  const where = database.kind === 'postgres' ? 'ZASTAVA_DATABASE_URL' : database.path;
  await asSetting(`ZASTAVA_DATA_DIR: ${dataDir} can't be used`, () =>
    mkdir(dataDir, { recursive: true, mode: 0o700 }),
  );
  return asSetting(where, async () => {
    await refuseHiddenPooling(database);
    const db = openDatabase(database);
    if (options.watch) db.watch(options.watch);
    try {
      await migrate(db);
      await openDayZone(db, config.dayZone);
      return await construct(db, config, options);
    } catch (error) {
      await db.close().catch(() => undefined);
      throw error;
    }
  });
}

/** Runs work whose errors are caused by a setting. @throws ConfigError that names it */
async function asSetting<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${name}: ${messageOf(error)}`, { cause: error });
  }
}

async function construct(
  db: OpenedDatabase,
  config: Config,
  { asServer, seals = asServer, overrides = {} }: CoreOptions,
) {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? createLog(config.logLevel);
  const audit = new AuditLog(db, clock);
  const opened = seals ? await secretsFor(db, config, asServer, audit) : noSecrets();
  const { secret, previous: previousSecret, isNew, problem } = opened;
  if (isNew) log.warn('ZASTAVA_SECRET has changed: all sessions have ended');
  const box = (purpose: string) =>
    problem ? SecretBox.locked(problem) : SecretBox.create(secret, purpose, previousSecret);
  const factorBox = box('second-factor');
  const { hashCost, readingMaxMs } = overrides;
  const parts = { db, clock, log, secret, previousSecret, factorBox, hashCost };
  const logins = openUsers(config, parts);
  const { security, users } = logins;
  const secrets = box('catalogue');
  if (asServer && previousSecret) await reseal(db, { secrets, factorBox }, log);
  const catalogue = await openCatalogue(config, {
    db,
    clock,
    log,
    secrets,
    asServer,
    readingMaxMs,
  });
  // A server sets the address on which it listens. A command can't know it if the system chooses the port.
  const listening = { url: config.port === 0 ? '' : reachableUrl(config.host, config.port) };
  const publicUrl = () => config.publicUrl ?? listening.url;
  const images = new ImageStore({
    db,
    clock,
    log,
    blobs: await imageBlobs(config, db),
    publicUrl,
    isUrlGuessed: config.publicUrl === undefined,
  });
  const rooms = new Rooms(db, clock, config.userRoomsMax);
  const trust = openTrust(config, { db, clock, log, pageWaitMs: overrides.pageWaitMs });
  return {
    config,
    clock,
    log,
    db,
    audit,
    ...logins,
    catalogue,
    images,
    rooms,
    listening,
    /** Empty if it is not known. */
    publicUrl,
    ...openBooks(db, clock),
    ...openCodes({ db, clock, secret, security, users }, config.registration, publicUrl),
    ...openRecords(db, catalogue, rooms),
    allowance: new TrustAllowance(db, clock, config.trustDailyAllowance),
    trust,
    adoptSecret: (act: Act) => adoptSecret(db, config, act),
    close: () => {
      // Some checks still read pages in the background; their results can no longer be stored.
      trust.fetch.close();
      return db.close();
    },
  };
}

interface UserParts {
  db: Database;
  clock: Clock;
  log: Log;
  secret: Secrets['secret'];
  previousSecret: Secrets['previous'];
  factorBox: SecretBox;
  hashCost: HashCost | undefined;
}

function openUsers(
  config: Config,
  { db, clock, log, secret, previousSecret, factorBox, hashCost }: UserParts,
) {
  const callers = new CallerCache(clock);
  const passwords = new Passwords({ cost: hashCost });
  const security = new SecurityLog({ log, clock });
  const users = new Users({ db, clock, passwords, callers });
  const keys = new ApiKeys({ db, clock, callers, security });
  const tokens = new Tokens({
    clock,
    secret,
    previousSecret,
    ttlSeconds: config.tokenTtlSeconds,
    sessionMaxSeconds: config.sessionMaxSeconds,
  });
  const secondFactors = new SecondFactors({ db, clock, box: factorBox });
  const needsFactor = config.adminSecondFactor === 'required';
  const authenticator = new Authenticator({
    db,
    clock,
    users,
    passwords,
    tokens,
    keys,
    throttle: new LoginThrottle({ db, clock, secret }),
    callers,
    security,
    factors: secondFactors,
    needsFactor,
  });
  return {
    users,
    keys,
    keyChanges: new KeyChanges({ db, clock, callers, security }),
    authenticator,
    secondFactors,
    needsFactor,
    security,
  };
}

async function reseal(
  db: Database,
  { secrets, factorBox }: { secrets: SecretBox; factorBox: SecretBox },
  log: Log,
): Promise<void> {
  const users = await resealSecondFactors(db, factorBox);
  if (users > 0) log.info({ users }, 'second factors encrypted with the new secret');
  const providers = await resealKeys(db, secrets);
  if (providers.length > 0) log.info({ providers }, 'provider keys encrypted with the new secret');
}

/** Only a server applies presets and looks for an Ollama. */
function openCatalogue(
  config: Config,
  parts: {
    db: Database;
    clock: Clock;
    log: Log;
    secrets: SecretBox;
    asServer: boolean;
    readingMaxMs: number | undefined;
  },
): Promise<Catalogue> {
  const { asServer, ...stores } = parts;
  return Catalogue.open({
    ...stores,
    ...knownToFiles,
    env: config.env,
    presets: asServer ? presets : undefined,
    found: config.ollama ? [OLLAMA] : [],
  });
}

type SecretsOrProblem = Secrets & { problem?: ConfigError };

/** A command without the servers' secret fails only when it has to encrypt a provider key. */
async function secretsFor(
  db: Database,
  config: Config,
  asServer: boolean,
  audit: AuditLog,
): Promise<SecretsOrProblem> {
  try {
    const change = audit.act('secret_changed', { origin: 'server' });
    return await openSecrets(db, config, asServer, change);
  } catch (error) {
    if (asServer || !(error instanceof ConfigError)) throw error;
    return { ...noSecrets(), problem: error };
  }
}

/** A random secret, for commands that neither sign tokens nor encrypt or decrypt keys. */
function noSecrets(): SecretsOrProblem {
  return { secret: crypto.getRandomValues(new Uint8Array(32)), previous: undefined };
}

/**
 * Images are stored on disk with SQLite, in the database with PostgreSQL (so that every node can serve them), or in S3.
 */
async function imageBlobs(config: Config, db: Database) {
  if (config.images.kind === 's3') return new S3Store(config.images);
  if (config.database.kind === 'postgres') return new DatabaseStore(db);
  const store = new DiskStore(join(config.dataDir, 'images'));
  await store.closeToOthers();
  return store;
}

/** What a catalogue file may refer to. */
const builtin = [sandboxModels];
export const knownToFiles = { kinds: providerKinds, options: providerOptions, builtin };
