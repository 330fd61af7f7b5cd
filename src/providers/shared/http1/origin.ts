/** Where a URL's requests go. */
export interface Origin {
  /** Names the origin; equal for equal connections. */
  key: string;
  hostname: string;
  port: number;
  secure: boolean;
}

export interface Target {
  origin: Origin;
  /** What begins a POST: request line and Host. */
  requestHead: string;
}

/** @throws TypeError for what is no http or https URL */
export function targetOf(text: string): Target {
  const url = new URL(text);
  const secure = url.protocol === 'https:';
  if (!secure && url.protocol !== 'http:') throw new TypeError(`${url.protocol} is not http`);
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  // An IPv6 address stands in brackets in a URL, and without them everywhere else.
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    origin: { key: url.origin, hostname, port, secure },
    requestHead: `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n`,
  };
}
