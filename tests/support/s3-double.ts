/**
 * A test double of an S3-compatible store: PUT, GET with ranges, HEAD and DELETE of objects in one bucket, kept in
 * memory. It checks that requests are signed, but not whether the signature is right.
 */

export interface StoredObject {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}

export interface S3Double extends AsyncDisposable {
  endpoint: string;
  /** By `bucket/key`. */
  objects: Map<string, StoredObject>;
  /** `GET bucket/key bytes=0-9` and so on, in the order in which they came. */
  requests: string[];
  /** Answers every request with this status from now on; 200 restores normal answers. */
  failWith(status: number): void;
  /**
   * Keeps the next object but never answers its PUT.
   * @returns the object's name, as soon as it is stored
   */
  swallowPut(): Promise<string>;
}

export function startS3Double(): S3Double {
  const objects = new Map<string, StoredObject>();
  const requests: string[] = [];
  let failure = 200;
  let swallowed: ((name: string) => void) | undefined;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const name = decodeURIComponent(new URL(request.url).pathname.slice(1));
      const range = request.headers.get('range') ?? '';
      requests.push(`${request.method} ${name} ${range}`.trim());
      if (failure !== 200) return error(failure, 'InternalError');
      const authorization = request.headers.get('authorization') ?? '';
      if (!authorization.startsWith('AWS4-HMAC-SHA256 Credential=access-key/')) {
        return error(403, 'AccessDenied');
      }
      if (request.method === 'PUT') {
        const type = request.headers.get('content-type') ?? '';
        objects.set(name, { bytes: new Uint8Array(await request.arrayBuffer()), type });
        if (swallowed) {
          swallowed(name);
          return new Promise<never>(() => undefined);
        }
        return new Response(null, { headers: { etag: '"double"' } });
      }
      if (request.method === 'DELETE') {
        objects.delete(name);
        return new Response(null, { status: 204 });
      }
      const object = objects.get(name);
      return object ? part(object, range) : error(404, 'NoSuchKey');
    },
  });
  return {
    objects,
    requests,
    endpoint: `http://127.0.0.1:${server.port}`,
    failWith: (status) => void (failure = status),
    swallowPut: () => new Promise((resolve) => (swallowed = resolve)),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function part({ bytes, type }: StoredObject, range: string): Response {
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  const headers = { 'content-type': type };
  if (first === '') return new Response(bytes, { headers });
  const end = last === '' ? bytes.length : Number(last) + 1;
  return new Response(bytes.slice(Number(first), end), {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${first}-${end - 1}/${bytes.length}` },
  });
}

function error(status: number, code: string): Response {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>scripted</Message></Error>`;
  return new Response(body, { status, headers: { 'content-type': 'application/xml' } });
}
