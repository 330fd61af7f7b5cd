/** The OpenAPI document's routes besides the JSON operations, and rules for all routes. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openGateway, PASSWORD } from '../support/gateway.ts';
import {
  isOtherSpelling,
  problems,
  references,
  type Document,
  type Json,
  type Operation,
} from '../support/openapi.ts';
import { openWorld, type Chatter, type World } from '../support/world.ts';

let world: World;
let admin: Chatter;
let document: Document;

beforeAll(async () => {
  world = await openWorld('sqlite');
  admin = await world.user({ isAdmin: true });
  document = await whole(world.gateway);
});
afterAll(() => world[Symbol.asyncDispose]());

async function whole(gateway: Pick<World['gateway'], 'fetch'>): Promise<Document> {
  return (await (await gateway.fetch('/openapi.json')).json()) as Document;
}

const methods = ['get', 'post'] as const;

function* operations(): Generator<{ path: string; method: string; operation: Operation }> {
  for (const [path, item] of Object.entries(document.paths)) {
    if (isOtherSpelling(item)) continue;
    for (const method of methods) {
      const operation = item[method];
      if (operation) yield { path, method, operation };
    }
  }
}

/** Statuses and types of responses that the document lacks. */
async function asDescribed(path: string, init: RequestInit = {}, described = path) {
  const response = await world.gateway.fetch(path, { redirect: 'manual', ...init });
  const method = (init.method ?? 'GET').toLowerCase();
  const documented = document.paths[described]?.[method]?.responses[String(response.status)];
  const type = response.headers.get('content-type')?.split(';', 1)[0] ?? '';
  const hasType = (await response.text()) === '' || documented?.content[type] !== undefined;
  expect([path, response.status, documented !== undefined, type, hasType]).toEqual([
    path,
    response.status,
    true,
    type,
    true,
  ]);
  return response;
}

describe('the OpenAPI document', () => {
  test('describes each operation and shows an example of its answer that matches', () => {
    let shown = 0;
    for (const { path, operation } of operations()) {
      expect([path, operation.description ?? '']).not.toEqual([path, '']);
      const contents = Object.entries(operation.responses['200']?.content ?? {});
      expect([path, contents.length > 0]).toEqual([path, true]);
      for (const [type, { schema, example }] of contents) {
        if (/^(image|audio)\//.test(type)) continue;
        const wrong = problems(document, schema, example);
        expect([path, type, example !== undefined, wrong]).toEqual([path, type, true, []]);
        shown++;
      }
    }
    expect(shown).toBeGreaterThan(65);
  });

  test('closes no object, and has only formats of JSON Schema', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('"additionalProperties":false');
    const formats = [...text.matchAll(/"format":"([^"]+)"/g)].map(([, name]) => name);
    // The last two are fields of answers: the formats of a price list and of a list of sites.
    expect(new Set(formats)).toEqual(new Set(['date', 'date-time', 'uri', 'models.dev', 'lines']));
  });

  test('describes images, the state of the server and the reference as they are', async () => {
    const image = new URL((await admin.send({ ai: 2 })).response).pathname;
    const etag = (await asDescribed(image, {}, '/images/{id}')).headers.get('etag') ?? '';
    const headers = (name: string, value: string) => ({ headers: { [name]: value } });
    const statuses = [
      await asDescribed(image, headers('range', 'bytes=0-3'), '/images/{id}'),
      await asDescribed(image, headers('range', 'bytes=99999999-'), '/images/{id}'),
      await asDescribed(image, headers('if-none-match', etag), '/images/{id}'),
      await asDescribed('/images/none', {}, '/images/{id}'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([206, 416, 304, 404]);
    for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/app/']) {
      expect((await asDescribed(path)).status).toBe(200);
    }
    const html = await (await world.gateway.fetch('/app/')).text();
    const asset = /\/app\/assets\/[\w-]+\.js/.exec(html)?.[0] ?? '';
    expect((await asDescribed(asset, {}, '/app/assets/{file}')).status).toBe(200);
    for (const file of ['start.js', 'page.css', 'swagger-ui-bundle.js', 'swagger-ui.css']) {
      expect((await asDescribed(`/docs/${file}`, {}, '/docs/{file}')).status).toBe(200);
    }
  });

  test('describes the cookie interface as it is', async () => {
    const form = (fields: Record<string, string>) => ({
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const good = form({ login: admin.login, pass: PASSWORD });
    const made = await asDescribed('/login.php', good);
    expect(made.status).toBe(302);
    expect((await asDescribed('/', good)).status).toBe(302);
    expect((await asDescribed('/login.php', form({ login: 'x' }))).status).toBe(200);
    const cookie = made.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    for (const path of ['/login.php', '/logout.php'])
      await asDescribed(path, { headers: { cookie } });
    for (const query of ['', '?url=example.com&tp=9&h=0']) {
      await asDescribed(`/trast.php${query}`, { headers: { cookie } }, '/trast.php');
    }
    const { scheme, name } = {
      scheme: document.components.securitySchemes['cookie'],
      name: cookie,
    };
    expect(name).toStartWith(`${String(scheme?.['name'])}=`);
  });

  test('has no cookie interface if that is off', async () => {
    await using gateway = await openGateway('sqlite', { env: { ZASTAVA_LEGACY: 'off' } });
    const { paths, components } = await whole(gateway);
    expect(Object.keys(paths).filter((path) => path === '/' || path.includes('.php'))).toEqual([]);
    expect(Object.keys(components.securitySchemes)).toEqual(['bearer']);
  });

  test('every read-only path refuses other methods with 405', async () => {
    for (const [path, item] of Object.entries(document.paths)) {
      if ('post' in item) continue;
      const spelled = path.replace('{file}', 'start.js').replace(/\{\w+\}/, 'x');
      const response = await world.gateway.fetch(spelled, { method: 'POST' });
      const allow = response.headers.get('allow');
      const methodsOf = Object.keys(item).map((method) => method.toUpperCase());
      expect([path, response.status, allow]).toEqual([path, 405, methodsOf.join(', ')]);
      expect([path, Object.keys(item['get']?.responses ?? {})]).toEqual([
        path,
        expect.arrayContaining(['405']),
      ]);
    }
  });

  test('has the other spelling of each path, which answers the same', async () => {
    let count = 0;
    for (const [path, item] of Object.entries(document.paths)) {
      if (!isOtherSpelling(item)) continue;
      count++;
      const first = String((item as Record<string, unknown>)['x-same-as']);
      expect(path.replace(/\/$/, '')).toBe(first.replace(/\/$/, ''));
      const statuses = [path, first].map(async (each) => {
        const { status } = await world.gateway.fetch(each, { method: 'POST' });
        return status;
      });
      const [other, usual] = await Promise.all(statuses);
      expect([path, other]).toEqual([path, usual]);
    }
    expect(count).toBeGreaterThan(55);
    for (const reference of references(document)) {
      // Characters of RFC 3986, as Spectral checks them.
      expect(reference).toMatch(/^#[\w~./%-]+$/);
      const place = reference.slice(2).split('/');
      const names = place.map((name) => decodeURIComponent(name).replaceAll('~1', '/'));
      const found = names.reduce<unknown>(
        (part, name) => (part as Json | undefined)?.[name],
        document,
      );
      expect([reference, found === undefined]).toEqual([reference, false]);
    }
  });
});
