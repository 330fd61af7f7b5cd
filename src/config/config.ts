import { resolve } from 'node:path';
import { z } from 'zod';
import { dayZoneNamed } from '../lib/days.ts';
import { logLevels } from '../lib/log.ts';
import { unbracketed } from '../lib/network/vetted-host.ts';
import { databaseOf } from './database.ts';
import { SettingError } from './errors.ts';
import {
  databaseUrlProblem,
  directoryProblem,
  isAddressRange,
  isBare,
  isHost,
  normalUrl,
  type Environment,
} from './forms.ts';
import { coresHere } from './machine.ts';
import { ollamaChoices, readOllama, type OllamaSettings } from './ollama.ts';
import { readTraces, traceContexts, type TraceSettings } from './traces.ts';

/** The default maximum of a process's connections to PostgreSQL. */
const CONNECTIONS = 10;
/**
 * The default maximum for all workers together, below the 100 that PostgreSQL usually accepts; each gets at least the
 * minimum.
 */
const CONNECTIONS_OF_WORKERS = 80;
const CONNECTIONS_MIN = 3;
/** A body of the largest size must fit. */
const BODY_BUDGET_MIN_MIB = 64;
/** In characters. */
const WATCH_SECRET_MIN = 16;
/** The default maximum length of a session: 30 days. */
const SESSION_MAX_SECONDS = 2_592_000;

const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );
const ranges = list.refine((items) => items.every(isAddressRange), {
  error: 'must be addresses or CIDR ranges, such as 10.0.0.0/8, separated by commas',
});
const origins = list.refine((items) => items.every((item) => URL.parse(item)?.origin === item), {
  error: 'must be origins, such as https://chat.example.org, separated by commas',
});
const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
/** A URL that is printed and to which paths are appended: without user, password, query and fragment. */
const bareUrl = url.refine(isBare, {
  error: 'must have no user, password, query (?…) or fragment (#…)',
});
const text = z.string().min(1).optional();
const directory = z.string().superRefine(checkedBy(directoryProblem));
const port = z
  .string()
  .refine((value) => !value.includes('://'), {
    error:
      'must be a whole number from 0 to 65535; Kubernetes has set it for a service named zastava: set enableServiceLinks: false in the pod, or ZASTAVA_PORT',
    abort: true,
  })
  .pipe(wholeNumber(0, 65_535));

const hostname = z
  .string()
  .min(1)
  .transform(unbracketed)
  .refine(isHost, { error: 'must be an IP address or a host name, without a scheme or a port' });

const zone = z.string().transform((name, context) => {
  const known = dayZoneNamed(name);
  if (known === undefined) context.addIssue('must be a time zone such as UTC or Europe/Moscow');
  return known ?? z.NEVER;
});

/** Each worker takes one of the slots of a data directory. */
const WORKERS_MAX = 64;
const workers = z
  .string()
  .regex(/^(auto|\d{1,2})$/, `must be auto, or a whole number from 1 to ${WORKERS_MAX}`)
  .transform((value) =>
    value === 'auto' ? Math.min(coresHere(), WORKERS_MAX) : Number.parseInt(value),
  )
  .refine((value) => value >= 1 && value <= WORKERS_MAX, {
    error: `must be auto, or a whole number from 1 to ${WORKERS_MAX}`,
  });

function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

/** The settings: for each field of `Config`, its environment variable and the form of its text. */
const settings = {
  host: ['ZASTAVA_HOST', hostname.default('127.0.0.1')],
  port: ['ZASTAVA_PORT', port.default(8080)],
  /** An absolute path. */
  dataDir: ['ZASTAVA_DATA_DIR', directory.default('./data').transform((path) => resolve(path))],
  databaseUrl: [
    'ZASTAVA_DATABASE_URL',
    z.string().superRefine(checkedBy(databaseUrlProblem)).optional(),
  ],
  databaseConnections: ['ZASTAVA_DATABASE_CONNECTIONS', wholeNumber(2, 1000).optional()],
  databasePooling: [
    'ZASTAVA_DATABASE_POOLING',
    oneOf(['session', 'transaction']).default('session'),
  ],
  /** The most MiB of SQLite's pages that the process keeps in memory. */
  sqliteCacheMib: ['ZASTAVA_SQLITE_CACHE_MIB', wholeNumber(1, 1_000_000).optional()],
  /** The number of processes that serve on the one port. */
  workers: ['ZASTAVA_WORKERS', workers.default(1)],
  /** Without a trailing slash; undefined: the address that the server listens on. */
  publicUrl: ['ZASTAVA_PUBLIC_URL', bareUrl.transform(normalUrl).optional()],
  /** An IANA zone in its canonical spelling; undefined: the zone of the database, UTC for a new one. */
  dayZone: ['ZASTAVA_DAY_ZONE', zone.optional()],
  catalogueFile: ['ZASTAVA_CATALOGUE', text],
  adminLogin: ['ZASTAVA_ADMIN_LOGIN', z.string().min(1).default('admin')],
  adminPassword: ['ZASTAVA_ADMIN_PASSWORD', text],
  tokenTtlSeconds: ['ZASTAVA_TOKEN_TTL_SECONDS', wholeNumber(1, 31_536_000).default(86_400)],
  sessionMaxSeconds: ['ZASTAVA_SESSION_MAX_SECONDS', wholeNumber(1, 315_360_000).optional()],
  /** Addresses or CIDR ranges whose X-Forwarded-For is trusted. */
  trustedProxies: ['ZASTAVA_TRUSTED_PROXIES', ranges],
  /** Addresses or CIDR ranges of clients that may use `/admin/`; empty: all. */
  adminNetworks: ['ZASTAVA_ADMIN_NETWORKS', ranges],
  /** Whether operators and admins must have a second factor. */
  adminSecondFactor: ['ZASTAVA_ADMIN_SECOND_FACTOR', oneOf(['off', 'required']).default('off')],
  logLevel: ['ZASTAVA_LOG_LEVEL', oneOf(logLevels).default('info')],
  /** Who may register. */
  registration: ['ZASTAVA_REGISTRATION', oneOf(['off', 'invitation', 'open']).default('off')],
  /** Whether each request gets a log line. */
  accessLog: ['ZASTAVA_ACCESS_LOG', oneOf(['on', 'off']).default('on')],
  /** Whether the web page is served. */
  web: ['ZASTAVA_WEB', oneOf(['on', 'off']).default('on')],
  /** Whether the cookie interface is served. */
  legacy: ['ZASTAVA_LEGACY', oneOf(['on', 'off']).default('on')],
  legacyCharset: ['ZASTAVA_LEGACY_CHARSET', oneOf(['utf-8', 'windows-1251']).default('utf-8')],
  trustDailyAllowance: [
    'ZASTAVA_TRUST_DAILY_ALLOWANCE',
    wholeNumber(0, 1_000_000_000).default(1000),
  ],
  drainSeconds: ['ZASTAVA_DRAIN_SECONDS', wholeNumber(0, 3600).default(30)],
  /** The most open streams of one user. */
  userStreamsMax: ['ZASTAVA_USER_STREAMS_MAX', wholeNumber(1, 1_000_000).default(100)],
  /** The most rooms that one user may open, including deleted ones. */
  userRoomsMax: ['ZASTAVA_USER_ROOMS_MAX', wholeNumber(1, 1_000_000_000).default(1_000_000)],
  /** The most texts and images that are stored for one user. */
  userStoredMib: ['ZASTAVA_USER_STORED_MIB', wholeNumber(1, 1_000_000_000).default(10_240)],
  /** The budget of all request bodies in progress. */
  bodyBudgetMib: [
    'ZASTAVA_BODY_BUDGET_MIB',
    wholeNumber(BODY_BUDGET_MIN_MIB, 1_000_000).default(256),
  ],
  corsOrigins: ['ZASTAVA_CORS_ORIGINS', origins],
  /** Private addresses that the page fetcher may reach; parsed by the trust module. */
  fetchAllow: ['ZASTAVA_FETCH_ALLOW', z.string().default('')],
  /** The addresses of hosts for the page fetcher; parsed by the trust module. */
  fetchResolve: ['ZASTAVA_FETCH_RESOLVE', z.string().default('')],
  /** The key that signs a watch's calls to its webhook. */
  watchSecret: [
    'ZASTAVA_WATCH_SECRET',
    z
      .string()
      .min(WATCH_SECRET_MIN, `must have at least ${WATCH_SECRET_MIN} characters`)
      .optional(),
  ],
  ollamaChoice: ['ZASTAVA_OLLAMA', oneOf(ollamaChoices).optional()],
  /** With whom traces share their context: callers, providers, both or nobody. */
  tracesContext: ['ZASTAVA_TRACES_CONTEXT', oneOf(traceContexts).default('off')],
  /** Whether traces contain the texts of sends. */
  tracesTexts: ['ZASTAVA_TRACES_TEXTS', oneOf(['on', 'off']).default('off')],
  s3Bucket: ['ZASTAVA_IMAGES_S3_BUCKET', text],
  s3Endpoint: ['ZASTAVA_IMAGES_S3_ENDPOINT', url.optional()],
  s3Region: ['ZASTAVA_IMAGES_S3_REGION', text],
  s3AccessKeyId: ['ZASTAVA_IMAGES_S3_ACCESS_KEY_ID', text],
  s3SecretAccessKey: ['ZASTAVA_IMAGES_S3_SECRET_ACCESS_KEY', text],
} as const satisfies Record<string, readonly [variable: string, form: z.ZodType]>;

type Values = { -readonly [Field in keyof typeof settings]: z.output<(typeof settings)[Field][1]> };

/** Every setting of the process, checked and typed, except the server's secret. */
export interface Config extends Values {
  database: ReturnType<typeof databaseOf>;
  /** For this process only, like the next field. */
  databaseConnections: number;
  bodyBudgetMib: number;
  images: ReturnType<typeof imagesOf>;
  /** The longest time from a login to the end of the tokens that descend from it. */
  sessionMaxSeconds: number;
  /** Undefined: Ollama is not looked for. */
  ollama: OllamaSettings | undefined;
  /** Undefined: traces are off. */
  traces: TraceSettings | undefined;
  /** The environment, for `${NAME}` in catalogue files and for presets. */
  env: Environment;
}

/** The names of all settings, including the secrets. */
export const settingNames: readonly string[] = [
  ...Object.values(settings).map(([variable]) => variable),
  'ZASTAVA_SECRET',
  'ZASTAVA_SECRET_PREVIOUS',
];

/**
 * Reads the settings from environment variables. An empty variable counts as absent.
 * @throws SettingError that names every variable with an invalid value
 */
export function readConfig(env: Environment): Config {
  const problems: string[] = [];
  const read = Object.entries(settings).map(([field, [variable, form]]) => {
    const { data, error } = form.safeParse(env[variable] || undefined);
    for (const { message } of error?.issues ?? []) problems.push(`${variable}: ${message}`);
    return [field, data];
  });
  if (problems.length > 0) throw new SettingError(problems.join('\n'));
  const values = Object.fromEntries(read) as Values;
  if (env['ZASTAVA_WORKERS'] && env['ZASTAVA_WORKERS'] !== '1') refuseWorkers(values);
  const shares = sharesOf(values);
  return {
    ...values,
    ...shares,
    database: databaseOf({ ...values, ...shares }),
    images: imagesOf(values),
    sessionMaxSeconds:
      values.sessionMaxSeconds ?? Math.max(SESSION_MAX_SECONDS, values.tokenTtlSeconds),
    ollama: ollamaOf(values, env),
    traces: readTraces(values, env),
    env,
  };
}

/** @throws SettingError if several processes can't serve on one port and one database */
function refuseWorkers({ databaseUrl }: Values): void {
  if (databaseUrl === undefined) {
    throw new SettingError(
      'ZASTAVA_WORKERS: SQLite has one process; set ZASTAVA_DATABASE_URL to a PostgreSQL database, or leave ZASTAVA_WORKERS out. zastava copy-to-postgres takes your data along: docs/operating.md, "From SQLite to PostgreSQL"',
    );
  }
  if (process.platform === 'linux') return;
  throw new SettingError(
    'ZASTAVA_WORKERS: only Linux spreads connections over several processes; leave it out, and start several nodes behind a proxy',
  );
}

/** The share of each worker, so that more workers do not use more in total. */
function sharesOf({ workers: count, databaseConnections, bodyBudgetMib }: Values) {
  const connections = Math.floor(CONNECTIONS_OF_WORKERS / count);
  return {
    databaseConnections:
      databaseConnections ?? Math.min(CONNECTIONS, Math.max(CONNECTIONS_MIN, connections)),
    bodyBudgetMib: Math.max(BODY_BUDGET_MIN_MIB, Math.floor(bodyBudgetMib / count)),
  };
}

function imagesOf({ s3Bucket, s3Endpoint, s3Region, s3AccessKeyId, s3SecretAccessKey }: Values) {
  if (s3Bucket === undefined) return { kind: 'default' } as const;
  if (s3AccessKeyId === undefined || s3SecretAccessKey === undefined) {
    throw new SettingError(
      'ZASTAVA_IMAGES_S3_BUCKET needs ZASTAVA_IMAGES_S3_ACCESS_KEY_ID and ZASTAVA_IMAGES_S3_SECRET_ACCESS_KEY too',
    );
  }
  return {
    kind: 's3',
    bucket: s3Bucket,
    endpoint: s3Endpoint,
    region: s3Region,
    accessKeyId: s3AccessKeyId,
    secretAccessKey: s3SecretAccessKey,
  } as const;
}

function ollamaOf({ ollamaChoice, databaseUrl }: Values, env: Environment): Config['ollama'] {
  const found = readOllama(env, ollamaChoice, databaseUrl !== undefined);
  if (found !== 'unreadable') return found;
  throw new SettingError(
    'OLLAMA_HOST: must be host:port or an http URL; correct it, or set ZASTAVA_OLLAMA=off',
  );
}

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** @param problemOf says what is wrong with a text; undefined if nothing is */
function checkedBy(problemOf: (value: string) => string | undefined) {
  return (value: string, context: z.RefinementCtx<string>) => {
    const message = problemOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  };
}
