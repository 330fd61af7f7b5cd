/** Files from web servers, also over connections that break. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { failure } from '../../support/failure.ts';
import { contents, expected, openWorld, ring, type World } from './world.ts';

// Starting threads and syncing files to the disk takes long on a busy machine.
setDefaultTimeout(300_000);

const graph = ring(20_000);
const files: Record<string, Uint8Array> = {
  '/vertices.txt.gz': Bun.gzipSync(Buffer.from(graph.vertices)),
  '/edges.txt.gz': Bun.gzipSync(Buffer.from(graph.edges)),
};

interface Requests {
  count: number;
  ranges: string[];
}

/** Serves the files. `breakAfter` cuts each body that is longer than this many bytes. */
interface ServeOptions {
  breakAfter?: number;
  ranges?: boolean;
  fail?: number;
  /** Responses to range requests begin this many bytes too early. */
  early?: number;
}

function serve(options: ServeOptions = {}) {
  const requests: Requests = { count: 0, ranges: [] };
  const server = Bun.listen<{ text: string }>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = { text: '' };
      },
      data(socket, bytes) {
        socket.data.text += bytes.toString('latin1');
        if (!socket.data.text.includes('\r\n\r\n')) return;
        requests.count++;
        socket.write(answer(socket.data.text, options, requests));
        // A moment later, since a client may drop bytes that arrive together with the end of a broken response.
        setTimeout(() => socket.end(), 20);
      },
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    server,
    requests,
    vertices: `${origin}/vertices.txt.gz`,
    edges: `${origin}/edges.txt.gz`,
  };
}

function answer(
  request: string,
  { breakAfter = Infinity, ranges = true, fail = 0, early = 0 }: ServeOptions,
  requests: Requests,
): Uint8Array {
  if (requests.count <= fail) return Buffer.from('HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n');
  const file = files[request.split(' ')[1] ?? ''];
  if (!file) return Buffer.from('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
  const range = ranges ? /range: bytes=(\d+)-/i.exec(request)?.[1] : undefined;
  if (range !== undefined) requests.ranges.push(range);
  const start = range === undefined ? 0 : Number(range) - early;
  const head = [
    range === undefined ? 'HTTP/1.1 200 OK' : 'HTTP/1.1 206 Partial Content',
    `Content-Length: ${file.length - start}`,
    ...(range === undefined
      ? []
      : [`Content-Range: bytes ${start}-${file.length - 1}/${file.length}`]),
    'ETag: "one"',
    'Connection: close',
  ];
  const body = file.subarray(start, start + breakAfter);
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

async function importFrom(world: World, { vertices, edges }: { vertices: string; edges: string }) {
  return world.store.importGraph({ name: 'remote', vertices, edges });
}

const names = Array.from({ length: 20_000 }, (_, id) => `site${String(id).padStart(5, '0')}.com`);
const links = names.flatMap(
  (_, id) =>
    [
      [id, 0],
      [id, (id + 1) % names.length],
    ] as [number, number][],
);

test('a complete response is imported', async () => {
  await using world = await openWorld();
  using servers = serve().server;
  const { port } = servers;
  const origin = `http://127.0.0.1:${port}`;
  await importFrom(world, {
    vertices: `${origin}/vertices.txt.gz`,
    edges: `${origin}/edges.txt.gz`,
  });
  expect(contents(world.store.open('remote'))).toEqual(expected(names, links));
});

test('an interrupted download resumes where it broke', async () => {
  await using world = await openWorld();
  const { server, requests, ...addresses } = serve({ breakAfter: 40_000, fail: 1 });
  try {
    await importFrom(world, addresses);
    expect(contents(world.store.open('remote'))).toEqual(expected(names, links));
    expect(requests.ranges).toContain('40000');
  } finally {
    server.stop(true);
  }
});

test('a response that begins at another byte than requested is refused', async () => {
  await using world = await openWorld();
  const { server, ...addresses } = serve({ breakAfter: 40_000, early: 1_000 });
  try {
    expect(await failure(importFrom(world, addresses))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining("can't resume it"),
    });
  } finally {
    server.stop(true);
  }
});

test('a server that cannot resume, or lacks the file, is refused', async () => {
  await using world = await openWorld();
  const { server, ...addresses } = serve({ breakAfter: 40_000, ranges: false });
  try {
    expect(await failure(importFrom(world, addresses))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining("can't resume it"),
    });
    const absent = addresses.edges.replace('edges', 'absent');
    expect(await failure(importFrom(world, { vertices: absent, edges: absent }))).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining(`${absent} answered 404: give the address`),
    });
  } finally {
    server.stop(true);
  }
});
