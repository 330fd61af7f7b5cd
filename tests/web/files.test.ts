/** How the page is served: its files, their headers and their sizes. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { buildPage, type BuiltFile } from '../../src/http/web/build.ts';
import { openGateway, type Gateway } from '../support/gateway.ts';

const KB = 1000;
let gateway: Gateway;
let files: BuiltFile[];

beforeAll(async () => {
  gateway = await openGateway('sqlite');
  files = await buildPage();
});
afterAll(() => gateway[Symbol.asyncDispose]());

describe('the page', () => {
  test.each(['/app/', '/app/spend', '/app/chat/any-room'])('is served at %s', async (path) => {
    const response = await gateway.fetch(path);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<div id="app"></div>');
  });

  test('is served under a policy without exceptions', async () => {
    const { headers } = await gateway.fetch('/app/');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; manifest-src 'self'; form-action 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  test('names its files by their content, so that browsers keep them', async () => {
    const html = await (await gateway.fetch('/app/')).text();
    const assets = html.match(/\/app\/assets\/[\w-]+\.(?:js|css)/g) ?? [];
    expect(assets.length).toBeGreaterThan(1);
    for (const asset of assets) {
      const { status, headers } = await gateway.fetch(asset);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  test('a file of another version is not found', async () => {
    expect((await gateway.fetch('/app/assets/index-00000000.js')).status).toBe(404);
  });

  test('is what a browser gets at the bare address; a program gets nothing', async () => {
    const browser = await gateway.fetch('/', {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    });
    expect(browser.headers.get('location')).toBe('/app/');
    expect((await gateway.fetch('/')).status).toBe(404);
  });

  test('is not served with ZASTAVA_WEB=off', async () => {
    await using closed = await openGateway('sqlite', { env: { ZASTAVA_WEB: 'off' } });
    expect((await closed.fetch('/app/')).status).toBe(404);
    const browser = await closed.fetch('/', {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    });
    expect(browser.headers.get('location')).toBe('/docs');
  });
});

/**
 * The bytes that one person loads, after gzip: docs/decisions/2026-11-24-sizes-of-what-one-person-loads.md. The page
 * and its areas load the words of one language.
 */
describe.each(['en', 'ru'])('sizes after gzip: %s', (language) => {
  const textOf = (file: BuiltFile | undefined) => new TextDecoder().decode(file?.bytes);
  const sizeOf = (file: BuiltFile) => gzipSync(file.bytes, { level: 9 }).length;
  const sumOf = (some: Iterable<BuiltFile>) =>
    [...some].reduce((sum, file) => sum + sizeOf(file), 0);
  /** They are loaded when an answer has a formula, or code in a known language. */
  const isExtra = ({ path }: BuiltFile) => /^assets\/(formula|colours)-/.test(path);
  const isWords = ({ path }: BuiltFile) => /^assets\/(en|ru)-/.test(path);
  const isOtherLanguage = (file: BuiltFile) =>
    isWords(file) && !file.path.startsWith(`assets/${language}-`);

  /** The files, their static imports, and their words. */
  function loadedBy(some: readonly BuiltFile[], loaded = new Set<BuiltFile>()): Set<BuiltFile> {
    for (const file of some) {
      if (loaded.has(file)) continue;
      loaded.add(file);
      const text = textOf(file);
      const next = files.filter(
        (other) =>
          text.includes(`from"/app/${other.path}"`) ||
          text.includes(`import"/app/${other.path}"`) ||
          (isWords(other) &&
            !isOtherLanguage(other) &&
            text.includes(`import("/app/${other.path}")`)),
      );
      loadedBy(next, loaded);
    }
    return loaded;
  }
  const first = () => {
    const html = textOf(files.find(({ path }) => path === 'index.html'));
    return loadedBy(files.filter(({ path }) => path === 'index.html' || html.includes(path)));
  };

  test('the login, the first load, is at most 60 KB', () => {
    expect([...first()].filter(isWords)).toHaveLength(1);
    expect(sumOf(first())).toBeLessThanOrEqual(60 * KB);
  });

  test('any screen is at most 80 KB', () => {
    for (const file of files.filter((one) => !isExtra(one) && !isOtherLanguage(one))) {
      expect(sumOf(loadedBy([...first(), file], first()))).toBeLessThanOrEqual(80 * KB);
    }
  });

  test('all but formulas and the colours of code is at most 100 KB', () => {
    expect(files.filter(isExtra)).toHaveLength(2);
    const all = files.filter((file) => !isExtra(file) && !isOtherLanguage(file));
    expect(sumOf(all)).toBeLessThanOrEqual(100 * KB);
  });
});
