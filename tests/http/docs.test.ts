/** The reference page in a real browser, and the OpenAPI document that it shows. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join, resolve } from 'node:path';
import { errorCodes } from '../../src/lib/errors.ts';
import { anthropicEndpoints } from '../../src/http/anthropic/messages.ts';
import { compatibleStatusOf, statusOf } from '../../src/http/errors.ts';
import { openAiEndpoints } from '../../src/http/openai/endpoints.ts';
import { withPage } from '../support/chromium.ts';
import { openGateway, PASSWORD } from '../support/gateway.ts';
import {
  isOtherSpelling,
  problems,
  references,
  requestContent,
  requestSchema,
  readDocument,
  type Document,
} from '../support/openapi.ts';
import { openWorld, type Chatter, type World } from '../support/world.ts';

const root = resolve(import.meta.dir, '../..');
let world: World;
let alice: Chatter;
let document: Document;

beforeAll(async () => {
  world = await openWorld('sqlite');
  alice = await world.user();
  document = await readDocument(await world.gateway.fetch('/openapi.json'));
});
afterAll(() => world[Symbol.asyncDispose]());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

const exampleOf = (path: string): unknown => requestContent(document, path)?.example;

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1, with a title and a description', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info).toMatchObject({ version: '2.0.0', title: expect.stringMatching(/./) });
    expect(document.components.securitySchemes).toHaveProperty('bearer');
  });

  test('has complete operations with unique names', () => {
    const open = [
      '/auth/login/',
      '/auth/register/',
      '/auth/register/show/',
      '/auth/session/',
      '/auth/session/show/',
    ];
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(ids.length).toBeGreaterThan(20);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations()) {
      expect(path).toStartWith('/');
      expect(operation.summary).not.toBe('');
      expect(operation.tags.length).toBeGreaterThan(0);
      const isOpen = open.includes(path);
      expect(operation.security).toEqual(isOpen ? [] : [{ bearer: [] }]);
      expect(operation['x-scopes'] ?? []).toEqual(isOpen ? [] : expect.arrayContaining(['admin']));
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        expect(status).toMatch(/^[2-5]\d\d$/);
        expect([path, status, description]).not.toContain('');
        const isAudio = path === '/v1/audio/speech' && status === '200';
        const type = isAudio ? 'audio/mpeg' : 'application/json';
        expect(content).toHaveProperty([type, 'schema']);
      }
    }
  });

  test('has every component that it refers to, and no unused one', async () => {
    const whole = (await (await world.gateway.fetch('/openapi.json')).json()) as Document;
    const parts = references(whole).filter((each) => !each.startsWith('#/paths/'));
    const used = new Set(parts);
    const { schemas, headers } = whole.components;
    const known = Object.entries({ schemas, headers }).flatMap(([kind, members]) =>
      Object.keys(members).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...used].toSorted()).toEqual(known.toSorted());
  });

  test('names every error code under its status', () => {
    const named = new Set<string>();
    for (const { path, operation } of operations()) {
      for (const [status, { description }] of Object.entries(operation.responses)) {
        if (status === '200') continue;
        for (const code of description.split(', ')) {
          const native = code === 'context_length_exceeded' ? 'input_too_long' : code;
          named.add(native);
          const known = native as keyof typeof statusOf;
          const expected = path.startsWith('/v1/') ? compatibleStatusOf(known) : statusOf[known];
          expect([path, code, expected]).toEqual([path, code, Number(status)]);
        }
      }
    }
    expect(errorCodes.filter((code) => !named.has(code))).toEqual([]);
  });

  test('has exactly the operations that are served', async () => {
    const written: string[] = [];
    const files = new Bun.Glob('src/http/{auth,ai,account,admin,trust}/*.ts');
    for await (const file of files.scan({ cwd: root })) {
      const text = await Bun.file(join(root, file)).text();
      written.push(
        ...[...text.matchAll(/^\s+path: '(\/[^']*)',$/gm)].map((match) => match[1] ?? ''),
      );
    }
    const mounted = [...openAiEndpoints, ...anthropicEndpoints].map(({ path }) => path);
    written.push(...mounted, '/v1/models', '/v1/models/{model}');
    const stored = '/v1/responses/{response_id}';
    written.push(stored, `${stored}/input_items`, `${stored}/cancel`);
    const described = Object.keys(document.paths);
    expect(written.toSorted()).toEqual(described.toSorted());
    for (const { path, method } of operations()) {
      const { status } = await world.gateway.fetch(path, { method: method.toUpperCase() });
      const expected = /^\/auth\/(session|register)\/show\/$/.test(path) ? [200] : [401, 422];
      expect([path, expected.includes(status)]).toEqual([path, true]);
    }
  });

  test('accepts every body of the README, and refuses what the gateway refuses', async () => {
    const readme = await Bun.file(join(root, 'README.md')).text();
    const bodies = [
      ['/auth/login/', JSON.stringify({ login: 'admin', password: 'the printed password' })],
      ...[...readme.matchAll(/\bz (\/\S+\/) (?:'([^']*)'|"((?:\\.|[^"\\])*)")/g)].map(
        ([, path = '', single, double = '']) => [
          path,
          (single ?? double.replace(/\\(.)/g, '$1')).replace('$ROOM', alice.room),
        ],
      ),
    ] as [string, string][];
    expect(bodies.length).toBeGreaterThanOrEqual(6);
    for (const [path, body] of bodies) {
      expect([path, problems(document, requestSchema(document, path), JSON.parse(body))]).toEqual([
        path,
        [],
      ]);
    }
    const send = requestSchema(document, '/ai/send/');
    const good = { room_id: alice.room, ai: 1, message: 'Hi' };
    expect(problems(document, send, good)).toEqual([]);
    const bad = [
      { ...good, ai: '1' },
      { ...good, message: '' },
      { ...good, room_id: 'short' },
      { ...good, chat_depth: -1 },
      { ...good, temperature: '1' },
      { ai: 1, message: 'Hi' },
    ];
    for (const body of bad) {
      expect(problems(document, send, body)).not.toEqual([]);
      expect((await world.gateway.post('/ai/send/', body, alice)).status).toBe(422);
    }
  });

  const posts = () => operations().filter(({ operation }) => operation.requestBody !== undefined);

  test('has a valid example of every body', () => {
    for (const { path } of posts()) {
      const example = exampleOf(path);
      expect([path, typeof example]).toEqual([path, 'object']);
      expect([path, problems(document, requestSchema(document, path), example)]).toEqual([
        path,
        [],
      ]);
    }
  });

  test('has examples that work in their order on a new server, except for what only the reader knows', async () => {
    await using gateway = await openGateway('sqlite');
    let { token } = await gateway.addUser({ login: 'admin', credit: 10, isAdmin: true });
    // Jobs on the link graph start processes, which would download the reader's files.
    const readersOwn =
      /^\/auth\/(?:login|register)\/$|^\/auth\/session\/(?:(?:end|confirm)\/)?$|^\/trust\/|^\/account\/(?:password|redeem|sessions\/end)\/$|\/keys\/(?:revoke|limit|rotate)\/$|\/second-factor\/\w|\/catalogue\/price\/$|\/embeddings$|\/images\/edits$|\/audio\/|^\/admin\/trust\/(?!seeds)/;
    const paths = posts().map(({ path }) => path);
    const tried = paths.filter((path) => !readersOwn.test(path));
    for (const path of tried) {
      const { status, body } = await gateway.post(path, exampleOf(path), { token });
      expect([path, status, body]).toEqual([path, 200, body]);
      if (path === '/auth/refresh/') token = (body.data as { token: string }).token;
    }
    expect(tried.length).toBeGreaterThan(30);
  });

  test('describes the headers of answers under /v1', () => {
    for (const { path, operation } of posts().filter((each) => each.path.startsWith('/v1/'))) {
      const names = (operation.parameters ?? []).map(({ name }) => name);
      const expected = path.endsWith('/count_tokens') ? [] : ['X-Room-Id', 'Idempotency-Key'];
      expect([path, names]).toEqual([path, expected]);
    }
  });
});

describe('the page /docs', () => {
  test('lists the operations, without a request to another origin and without an error', async () => {
    const origin = world.gateway.listen();
    const seen: string[] = [];
    const complaints: string[] = [];
    await withPage(async (page) => {
      await page.setViewportSize({ width: 1280, height: 1600 });
      page.on('request', (request) => seen.push(request.url()));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
      const response = await page.goto(`${origin}/docs`);
      expect([page.url(), response?.status()]).toEqual([`${origin}/docs`, 200]);
      await page.waitForSelector('.opblock-summary-path');
      const listed = await page.$$eval('.opblock-summary-path', (elements) =>
        elements.map((element) => element.getAttribute('data-path') ?? ''),
      );
      const whole = (await (await world.gateway.fetch('/openapi.json')).json()) as Document;
      const once = Object.entries(whole.paths).filter(([, item]) => !isOtherSpelling(item));
      expect(new Set(listed)).toEqual(new Set(once.map(([path]) => path)));
      expect(await page.title()).toBe('Zastava API');
      expect(await page.locator('header a').getAttribute('href')).toBe('/app/developers');
      const fontOf = (selector: string) =>
        page.evaluate(`getComputedStyle(document.querySelector('${selector}')).fontFamily`);
      expect(await fontOf('.swagger-ui .info .title')).toBe(await fontOf('body'));

      // An operation can be tried: the page makes a real request.
      await page.click('#operations-Auth-auth_login .opblock-summary-control');
      await page.waitForSelector('#operations-Auth-auth_login textarea.body-param__text');
      const filledIn = await page.inputValue(
        '#operations-Auth-auth_login textarea.body-param__text',
      );
      expect(JSON.parse(filledIn)).toEqual(exampleOf('/auth/login/'));
      const body = JSON.stringify({ login: alice.login, password: PASSWORD });
      await page.fill('#operations-Auth-auth_login textarea.body-param__text', body);
      await page.click('#operations-Auth-auth_login button.execute');
      await page.waitForSelector('#operations-Auth-auth_login .live-responses-table .response');
      const shown = await page.textContent('#operations-Auth-auth_login .live-responses-table');
      expect(shown).toContain('expired_at');
    });
    expect(complaints).toEqual([]);
    const local = /^(data|blob):/;
    const elsewhere = seen.filter((url) => !url.startsWith(`${origin}/`) && !local.test(url));
    expect(elsewhere).toEqual([]);
    expect(seen).toContain(`${origin}/openapi.json`);
  }, 300_000);

  test('is found with a slash, too', async () => {
    const sent = await world.gateway.fetch('/docs/', { redirect: 'manual' });
    expect([sent.status, sent.headers.get('location')]).toEqual([302, '/docs']);
  });
});
