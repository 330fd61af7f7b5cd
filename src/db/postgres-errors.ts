import { DatabaseUnavailableError, type Trouble } from '../lib/errors.ts';
import { ConstraintError } from './database.ts';

/**
 * SQLSTATEs (PostgreSQL's appendix A), or two-letter classes of them, after which the same statement may succeed later,
 * each with the trouble that it shows. All others are errors of the application or of the server's setup, and pass
 * unchanged. That includes XX, damaged data, which must not look like a server that is merely unavailable.
 */
const UNAVAILABLE: readonly (readonly [state: string, Trouble])[] = [
  ['08', 'unreachable'], // the connection; poolers report many other problems as 08P01
  ['25006', 'read_only'],
  ['25P03', 'refused'], // the server closed the connection: a transaction was idle, or ran, for too long
  ['25P04', 'refused'],
  ['28', 'unreachable'], // the login was refused: the password or pg_hba.conf was changed
  ['3D', 'unreachable'], // the database does not exist, e.g. while it is restored
  ['40', 'refused'], // rolled back because of other transactions: serialization, deadlock, recovery of a standby
  ['53100', 'disk_full'],
  ['53', 'unreachable'], // no connections or memory left
  ['55006', 'refused'], // the object is in use
  ['55P03', 'refused'], // lock_timeout
  ['57014', 'refused'], // the statement was cancelled, by hand or by statement_timeout
  ['57', 'unreachable'], // the server stops or starts
  ['58', 'io_error'], // the server's files
  ['F0', 'unreachable'], // the server's own settings
];
/** The server is a standby, or became one. */
const READ_ONLY = '25006';
/** `insufficient_privilege`, `invalid_schema_name`. */
const MISSING_RIGHTS: readonly string[] = ['42501', '3F000'];
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

/** Errors of the runtime's client, and errors of the operating system that it passes on. */
const CLIENT_CODES =
  /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|TLS|SASL|AUTHENTICATION|CHANNEL_BINDING|UNKNOWN_AUTH|UNSUPPORTED_AUTH)|^E[A-Z]+$/;
/** Codes of OpenSSL and Node for a certificate that was rejected. */
const CERTIFICATE_CODES =
  /^(?!ERR_POSTGRES).*(CERT|CRL|ISSUER|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|LEAF_SIGNATURE)/;

interface PostgresError {
  errno?: unknown;
  code?: unknown;
  message?: unknown;
}

/** The SQLSTATE of an error; empty if the error is not from PostgreSQL. */
export function sqlState(error: unknown): string {
  if (error instanceof ConstraintError || error instanceof DatabaseUnavailableError) {
    return sqlState(error.cause);
  }
  // A number comes from the operating system, or from the verification of a certificate.
  const errno = (error as PostgresError | undefined)?.errno;
  return typeof errno === 'string' ? errno : '';
}

/** True if the same transaction may succeed when it runs again immediately. */
export function isWorthRepeating(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK;
}

/** True if new connections may lead to a server that can do the work. */
export function needsOtherConnections(error: unknown): boolean {
  return sqlState(error) === READ_ONLY;
}

/** True if the role lacks a right, or has no schema to create tables in. */
export function mayNotCreateTables(error: unknown): boolean {
  return MISSING_RIGHTS.includes(sqlState(error));
}

/** Turns an error of the client into one that callers understand, or returns it unchanged. */
export function translateError(error: unknown): unknown {
  if (error instanceof ConstraintError || error instanceof DatabaseUnavailableError) return error;
  const { message } = textsOf(error);
  const state = sqlState(error);
  if (state === '23505') return new ConstraintError('unique', message, error);
  if (state === '23514') return new ConstraintError('check', message, error);
  if (state.startsWith('23')) return new ConstraintError('other', message, error);
  const known = whyUnavailable(error, state);
  if (!known) return error;
  const [reason, why] = known;
  return new DatabaseUnavailableError(why, { reason, cause: error });
}

const words: Partial<Record<Trouble, string>> = {
  disk_full: 'the disk of the database is full',
  read_only: 'the database is read-only, like a standby',
  refused: "the database can't run this now",
  io_error: "the database can't use its files",
};
const UNREACHABLE = "the database can't be reached";

function whyUnavailable(error: unknown, state: string): [Trouble, string] | undefined {
  const { code, message } = textsOf(error);
  const reason = UNAVAILABLE.find(([prefix]) => state.startsWith(prefix))?.[1];
  if (reason) return [reason, `${words[reason] ?? UNREACHABLE}: ${message}`];
  if (state !== '') return undefined;
  const problem =
    tlsProblem(code, message) ??
    (CLIENT_CODES.test(code) ? `${UNREACHABLE}: ${message}` : undefined);
  return problem === undefined ? undefined : ['unreachable', problem];
}

/** The problem with TLS, and how to solve it. The caller names the setting, ZASTAVA_DATABASE_URL. */
function tlsProblem(code: string, message: string): string | undefined {
  if (code === 'ERR_POSTGRES_TLS_NOT_AVAILABLE') {
    return 'the database does not support TLS, which the sslmode or sslrootcert of its URL requires: set ssl = on in postgresql.conf, or sslmode=disable in the URL if nobody else has access to the network';
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') {
    return `the database's certificate is for another host name (${message}): connect by a name that the certificate contains, or set sslmode=verify-ca to check only who signed it`;
  }
  if (/EXPIRED|NOT_YET_VALID/.test(code)) {
    return `the database's certificate has expired or is not valid yet (${message}): renew it on the database server, or correct the clock`;
  }
  if (/\bCA file\b|\bcaFile\b/.test(message)) {
    return `the file of sslrootcert can't be read, or contains no certificate (${message}): name a PEM file that this user can read`;
  }
  if (CERTIFICATE_CODES.test(code)) {
    return `the database's certificate is not trusted (${message}): name the PEM file of its certificate authority with sslrootcert=FILE in the URL`;
  }
  return undefined;
}

function textsOf(error: unknown): { code: string; message: string } {
  const { code, message } = (error ?? {}) as PostgresError;
  return {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : '',
  };
}
