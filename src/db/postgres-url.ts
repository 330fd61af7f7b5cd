/** What the URL of a database says, where the client would read it from elsewhere. */

/**
 * What the server keeps as it is of an `application_name`: it cuts longer ones off, and puts something else for all
 * characters but these.
 */
const KEPT_OF_NAME = /^[\x20-\x7e]{0,63}/;

/** What the names begin with that whoever wrote the URL gave the connections, as the server tells them. */
export function nameIn(url: string): string | undefined {
  const name = URL.parse(url)?.searchParams.get('application_name') ?? undefined;
  return name && KEPT_OF_NAME.exec(name)?.[0];
}

/**
 * The URL for the client, with its database apart: the runtime's client would let PGDATABASE of the environment rule
 * over the URL, and so work on other books without a word.
 */
export function addressOf(url: string): { url: string; database?: string } {
  const { pathname = '', searchParams } = URL.parse(url) ?? {};
  const database = decodeURIComponent(pathname.slice(1));
  return database === '' || searchParams?.has('database') ? { url } : { url, database };
}
