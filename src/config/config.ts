import { join, resolve } from 'node:path';
import { z } from 'zod';
import { logLevels, type LogLevel } from '../lib/log.ts';
import {
  databaseUrlProblem,
  directoryProblem,
  isAddressRange,
  isBare,
  normalUrl,
  type Environment,
} from './forms.ts';
import { ollamaChoices, readOllama, type OllamaSettings } from './ollama.ts';

/** Every setting of the process, checked and typed, except the server's secret. */
export interface Config {
  host: string;
  port: number;
  dataDir: string;
  database: { kind: 'sqlite'; path: string } | PostgresSettings;
  /** Without a trailing slash; undefined: the address that the server listens on. */
  publicUrl: string | undefined;
  catalogueFile: string | undefined;
  firstAdmin: { login: string; password: string | undefined };
  tokenTtlSeconds: number;
  /** From a login to the end of all tokens that descend from it. */
  sessionMaxSeconds: number;
  /** Addresses or CIDR ranges whose X-Forwarded-For is trusted. */
  trustedProxies: string[];
  logLevel: LogLevel;
  legacyCharset: 'utf-8' | 'windows-1251';
  trustDailyAllowance: number;
  drainSeconds: number;
  corsOrigins: string[];
  /** Private addresses that the page fetcher may reach; parsed by the trust module. */
  fetchAllow: string;
  /** Where the page fetcher finds hosts; parsed by the trust module. */
  fetchResolve: string;
  images: { kind: 'default' } | ({ kind: 's3' } & S3Settings);
  /** Undefined: do not look for an Ollama. */
  ollama: OllamaSettings | undefined;
  /** The environment, for `${NAME}` in catalogue files and for presets. */
  env: Environment;
}

export interface PostgresSettings {
  kind: 'postgres';
  url: string;
  /** Most connections of this process. */
  connectionsMax?: number;
  /** What a pooler before the database keeps on one connection; `session` without a pooler. */
  pooling?: 'session' | 'transaction';
}

export interface S3Settings {
  bucket: string;
  endpoint: string | undefined;
  region: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
}

/** A setting that can't be used. The message names it and says what is valid. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** An environment variable that is missing or has a wrong value: the next start fails too. */
export class SettingError extends ConfigError {}

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
const proxies = list.refine((items) => items.every(isAddressRange), {
  error: 'must be addresses or CIDR ranges, such as 10.0.0.0/8, separated by commas',
});
const origins = list.refine((items) => items.every((item) => URL.parse(item)?.origin === item), {
  error: 'must be origins, such as https://chat.example.org, separated by commas',
});
const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
/** A URL to which paths are added, and which is printed: without user, password, query and fragment. */
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

const schema = z.object({
  // Without the brackets of an IPv6 address in URLs, which sockets do not accept.
  ZASTAVA_HOST: z
    .string()
    .min(1)
    .transform((host) => host.replace(/^\[(.*)\]$/, '$1'))
    .default('127.0.0.1'),
  ZASTAVA_PORT: port.default(8080),
  ZASTAVA_DATA_DIR: directory.default('./data'),
  ZASTAVA_DATABASE_URL: z.string().superRefine(checkedBy(databaseUrlProblem)).optional(),
  ZASTAVA_DATABASE_CONNECTIONS: wholeNumber(2, 1000).default(10),
  ZASTAVA_DATABASE_POOLING: z.enum(['session', 'transaction']).default('session'),
  ZASTAVA_PUBLIC_URL: bareUrl.transform(normalUrl).optional(),
  ZASTAVA_CATALOGUE: text,
  ZASTAVA_ADMIN_LOGIN: z.string().min(1).default('admin'),
  ZASTAVA_ADMIN_PASSWORD: text,
  ZASTAVA_TOKEN_TTL_SECONDS: wholeNumber(1, 31_536_000).default(86_400),
  ZASTAVA_SESSION_MAX_SECONDS: wholeNumber(1, 315_360_000).optional(),
  ZASTAVA_TRUSTED_PROXIES: proxies,
  ZASTAVA_LOG_LEVEL: z.enum(logLevels).default('info'),
  ZASTAVA_LEGACY_CHARSET: z.enum(['utf-8', 'windows-1251']).default('utf-8'),
  ZASTAVA_TRUST_DAILY_ALLOWANCE: wholeNumber(0, 1_000_000_000).default(1000),
  ZASTAVA_DRAIN_SECONDS: wholeNumber(0, 3600).default(30),
  ZASTAVA_CORS_ORIGINS: origins,
  ZASTAVA_FETCH_ALLOW: z.string().default(''),
  ZASTAVA_FETCH_RESOLVE: z.string().default(''),
  ZASTAVA_OLLAMA: z.enum(ollamaChoices).optional(),
  ZASTAVA_IMAGES_S3_BUCKET: text,
  ZASTAVA_IMAGES_S3_ENDPOINT: url.optional(),
  ZASTAVA_IMAGES_S3_REGION: text,
  ZASTAVA_IMAGES_S3_ACCESS_KEY_ID: text,
  ZASTAVA_IMAGES_S3_SECRET_ACCESS_KEY: text,
});

/** The names of all settings, including the secrets. */
export const settingNames: readonly string[] = [
  ...Object.keys(schema.shape),
  'ZASTAVA_SECRET',
  'ZASTAVA_SECRET_PREVIOUS',
];

/**
 * Reads the settings from environment variables. An empty variable counts as absent.
 * @throws SettingError that names every variable with a wrong value
 */
export function readConfig(env: Environment): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(present);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path.join('.')}: ${issue.message}`,
    );
    throw new SettingError(problems.join('\n'));
  }
  const values = parsed.data;
  const dataDir = resolve(values.ZASTAVA_DATA_DIR);
  return {
    host: values.ZASTAVA_HOST,
    port: values.ZASTAVA_PORT,
    dataDir,
    database: databaseOf(values, dataDir),
    publicUrl: values.ZASTAVA_PUBLIC_URL,
    catalogueFile: values.ZASTAVA_CATALOGUE,
    firstAdmin: { login: values.ZASTAVA_ADMIN_LOGIN, password: values.ZASTAVA_ADMIN_PASSWORD },
    tokenTtlSeconds: values.ZASTAVA_TOKEN_TTL_SECONDS,
    sessionMaxSeconds:
      values.ZASTAVA_SESSION_MAX_SECONDS ??
      Math.max(SESSION_MAX_SECONDS, values.ZASTAVA_TOKEN_TTL_SECONDS),
    trustedProxies: values.ZASTAVA_TRUSTED_PROXIES,
    logLevel: values.ZASTAVA_LOG_LEVEL,
    legacyCharset: values.ZASTAVA_LEGACY_CHARSET,
    trustDailyAllowance: values.ZASTAVA_TRUST_DAILY_ALLOWANCE,
    drainSeconds: values.ZASTAVA_DRAIN_SECONDS,
    corsOrigins: values.ZASTAVA_CORS_ORIGINS,
    fetchAllow: values.ZASTAVA_FETCH_ALLOW,
    fetchResolve: values.ZASTAVA_FETCH_RESOLVE,
    images: imagesOf(values),
    ollama: ollamaOf(values, env),
    env,
  };
}

function ollamaOf(
  { ZASTAVA_OLLAMA: choice, ZASTAVA_DATABASE_URL: database }: z.infer<typeof schema>,
  env: Environment,
): Config['ollama'] {
  const found = readOllama(env, choice, database !== undefined);
  if (found !== 'unreadable') return found;
  throw new SettingError(
    'OLLAMA_HOST: must be host:port or an http URL; correct it, or set ZASTAVA_OLLAMA=off',
  );
}

/** The path of the SQLite database in a data directory. */
export function sqliteFile(dataDir: string): string {
  return join(dataDir, 'zastava.sqlite');
}

function databaseOf(values: z.infer<typeof schema>, dataDir: string): Config['database'] {
  const address = values.ZASTAVA_DATABASE_URL;
  if (address === undefined) return { kind: 'sqlite', path: sqliteFile(dataDir) };
  return {
    kind: 'postgres',
    url: address,
    connectionsMax: values.ZASTAVA_DATABASE_CONNECTIONS,
    pooling: values.ZASTAVA_DATABASE_POOLING,
  };
}

function imagesOf(values: z.infer<typeof schema>): Config['images'] {
  const bucket = values.ZASTAVA_IMAGES_S3_BUCKET;
  if (bucket === undefined) return { kind: 'default' };
  const accessKeyId = values.ZASTAVA_IMAGES_S3_ACCESS_KEY_ID;
  const secretAccessKey = values.ZASTAVA_IMAGES_S3_SECRET_ACCESS_KEY;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new SettingError(
      'ZASTAVA_IMAGES_S3_BUCKET needs ZASTAVA_IMAGES_S3_ACCESS_KEY_ID and ZASTAVA_IMAGES_S3_SECRET_ACCESS_KEY too',
    );
  }
  return {
    kind: 's3',
    bucket,
    endpoint: values.ZASTAVA_IMAGES_S3_ENDPOINT,
    region: values.ZASTAVA_IMAGES_S3_REGION,
    accessKeyId,
    secretAccessKey,
  };
}

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** @param problemOf says what is wrong with a text, or returns undefined */
function checkedBy(problemOf: (value: string) => string | undefined) {
  return (value: string, context: z.RefinementCtx<string>) => {
    const message = problemOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  };
}
