/** Checks of the text of settings. */
import { isIP } from 'node:net';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a URL has no user, password, query or fragment, so that it may be printed and paths may be appended. */
export function isBare(address: string): boolean {
  const { username = '', password = '' } = URL.parse(address) ?? {};
  return !/[?#]/.test(address) && username === '' && password === '';
}

/** Normalises an address for comparison: scheme and host in lower case, no slash at the end. */
export function normalUrl(address: string): string {
  return (URL.parse(address)?.href ?? address).replace(/\/+$/, '');
}

/** Whether it can be the name or address of a machine, or `*` for all addresses; not whether there is one. */
export function isHost(host: string): boolean {
  return isIP(host) !== 0 || /^(\*|[\w.-]+)$/.test(host);
}

export function isAddressRange(range: string): boolean {
  const [address = '', prefix, ...rest] = range.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

export function directoryProblem(path: string): string | undefined {
  if (path.trim() === '') return 'is blank: name a directory, or leave it out for ./data';
  if (!path.startsWith('~')) return undefined;
  return 'begins with ~, which only a shell reads: write the whole path, or $HOME where a shell sets it (./~ is a directory of that name)';
}

/** What is wrong with the URL of a database. It is not quoted, since it may contain a password. */
export function databaseUrlProblem(address: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(address)) {
    return 'must start with postgres://, or be absent for SQLite';
  }
  const url = URL.parse(address);
  // An unescaped / ? or # in a password moves the rest of it to another part of the URL.
  if (url && !/@/.test(url.pathname + url.hash) && isDecodable(url)) return undefined;
  return "can't be read: it must be postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters of user and password percent-encoded (@ is %40, : %3A, / %2F, # %23, ? %3F, % %25)";
}

function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
