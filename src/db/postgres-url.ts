/**
 * The part of an `application_name` that the server keeps unchanged: it truncates longer names, and replaces all other
 * characters.
 */
const KEPT_OF_NAME = /^[\x20-\x7e]{0,63}/;

/** The name of the connections in the server's list of processes, if the URL sets one; the server may truncate it. */
export function nameIn(url: string): string | undefined {
  const name = URL.parse(url)?.searchParams.get('application_name') ?? undefined;
  return name && KEPT_OF_NAME.exec(name)?.[0];
}

/**
 * The URL for the client, with its database as a separate option. The runtime's client lets PGDATABASE of the
 * environment override the database in the URL, and so could silently work on the wrong one.
 */
export function addressOf(url: string): { url: string; database?: string } {
  const { pathname = '', searchParams } = URL.parse(url) ?? {};
  const database = decodeURIComponent(pathname.slice(1));
  return database === '' || searchParams?.has('database') ? { url } : { url, database };
}
