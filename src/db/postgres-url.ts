/** What the URL of a database says, where the client would read it from elsewhere. */

/** What whoever wrote the URL calls the connections. */
export function nameIn(url: string): string | undefined {
  return URL.parse(url)?.searchParams.get('application_name') ?? undefined;
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
