import { DatabaseUnavailableError } from '../lib/errors.ts';
import { ConstraintError } from './database.ts';

/**
 * SQLSTATEs (PostgreSQL's appendix A), or classes of them in two letters, that say nothing against the
 * statement: the same one may work later. All others are mistakes, ours or of whoever set the server up, and
 * stay as they are; also XX, damaged data, which nobody should take for a server that is just away.
 */
const AWAY: readonly string[] = [
  '08', // the connection; poolers say 08P01 of much else
  '25P03', // a transaction was idle, or lasted, for longer than the server lets it: its connection is closed
  '25P04',
  '28', // the login is refused: a password was changed, or pg_hba.conf
  '3D', // no such database: one that is being restored
  '53', // no connections, memory or disk left
  '57', // stopped, starting, or the statement cancelled: by hand, or by statement_timeout
  '58', // the server's files
  'F0', // the server's own settings
];
const REFUSED_NOW: readonly string[] = [
  '40', // rolled back for the sake of others: serialization, deadlock, recovery of a standby
  '55006', // in use
  '55P03', // lock_timeout
];
/** A standby, or a primary that became one. */
const READ_ONLY = '25006';
/** `insufficient_privilege`, `invalid_schema_name`. */
const MISSING_RIGHTS: readonly string[] = ['42501', '3F000'];
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

/** What the runtime's client reports by itself, and what the operating system reports through it. */
const CLIENT_CODES =
  /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|TLS|SASL|AUTHENTICATION|CHANNEL_BINDING|UNKNOWN_AUTH|UNSUPPORTED_AUTH)|^E[A-Z]+$/;
/** Names of OpenSSL and of Node for a certificate that does not convince. */
const CERTIFICATE_CODES =
  /^(?!ERR_POSTGRES).*(CERT|CRL|ISSUER|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|LEAF_SIGNATURE)/;

interface PostgresError {
  errno?: unknown;
  code?: unknown;
  message?: unknown;
}

/** What PostgreSQL says went wrong; empty when it was not PostgreSQL that said it. */
export function sqlState(error: unknown): string {
  if (error instanceof ConstraintError || error instanceof DatabaseUnavailableError) {
    return sqlState(error.cause);
  }
  // A number is the operating system's, or that of a check of a certificate.
  const errno = (error as PostgresError | undefined)?.errno;
  return typeof errno === 'string' ? errno : '';
}

/** The same transaction may succeed when it is run again at once. */
export function isWorthRepeating(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK;
}

/** Other connections than those that are open may lead to a server that does it. */
export function needsOtherConnections(error: unknown): boolean {
  return sqlState(error) === READ_ONLY;
}

/** The role lacks a right, or has no schema to make tables in. */
export function mayNotMakeTables(error: unknown): boolean {
  return MISSING_RIGHTS.includes(sqlState(error));
}

/** What a caller can make something of, or the error itself. */
export function translateError(error: unknown): unknown {
  if (error instanceof ConstraintError || error instanceof DatabaseUnavailableError) return error;
  const { message } = textsOf(error);
  const state = sqlState(error);
  if (state === '23505') return new ConstraintError('unique', message, error);
  if (state === '23514') return new ConstraintError('check', message, error);
  if (state.startsWith('23')) return new ConstraintError('other', message, error);
  const why = whyUnavailable(error, state);
  return why === undefined ? error : new DatabaseUnavailableError(why, { cause: error });
}

function whyUnavailable(error: unknown, state: string): string | undefined {
  const { code, message } = textsOf(error);
  if (state === READ_ONLY) return `the database takes no writes, like a standby: ${message}`;
  if (isOneOf(REFUSED_NOW, state)) return `the database can't do this now: ${message}`;
  if (isOneOf(AWAY, state)) return `the database can't be reached: ${message}`;
  if (state !== '') return undefined;
  return (
    tlsProblem(code, message) ??
    (CLIENT_CODES.test(code) ? `the database can't be reached: ${message}` : undefined)
  );
}

/** What is wrong with TLS, and what to do about it; the caller names the setting, ZASTAVA_DATABASE_URL. */
function tlsProblem(code: string, message: string): string | undefined {
  if (code === 'ERR_POSTGRES_TLS_NOT_AVAILABLE') {
    return 'the database takes no TLS, which the sslmode or sslrootcert of its URL demands: set ssl = on in postgresql.conf, or sslmode=disable where nobody else reaches the network';
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') {
    return `the database's certificate is for another host name (${message}): connect by a name that stands in it, or let sslmode=verify-ca check only who signed it`;
  }
  if (/EXPIRED|NOT_YET_VALID/.test(code)) {
    return `the database's certificate is not valid now (${message}): renew it on the database server, or correct the clock`;
  }
  if (/\bCA file\b|\bcaFile\b/.test(message)) {
    return `the file that sslrootcert names can't be read, or holds no certificate (${message}): name a PEM file that this user may read`;
  }
  if (CERTIFICATE_CODES.test(code)) {
    return `the database's certificate is not trusted (${message}): name the PEM file of whoever signed it with sslrootcert=FILE in the URL`;
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

function isOneOf(states: readonly string[], state: string): boolean {
  return state !== '' && states.some((one) => state.startsWith(one));
}
