/** The server of a URL. */
export interface Origin {
  /** Equal for URLs that can share connections. */
  key: string;
  hostname: string;
  port: number;
  secure: boolean;
}

export interface Target {
  origin: Origin;
  /** The start of a POST request: request line and Host. */
  requestHead: string;
}

/** @throws TypeError if it is not an http or https URL */
export function targetOf(text: string): Target {
  const url = new URL(text);
  const secure = url.protocol === 'https:';
  if (!secure && url.protocol !== 'http:')
    throw new TypeError(`${url.protocol} is not http or https`);
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  // URLs have IPv6 addresses in brackets, everything else without them.
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    origin: { key: url.origin, hostname, port, secure },
    requestHead: `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n`,
  };
}
