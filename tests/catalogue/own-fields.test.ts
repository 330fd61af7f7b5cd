/** `headers` and `extra_body` of a provider. */
import { describe, expect, test } from 'bun:test';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { formatChange, resealKeys } from '../../src/catalogue/index.ts';
import { SecretBox } from '../../src/lib/secret-box.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { applied, known, openCatalogue, refusalOf } from './fixtures.ts';

const fileOf = (fields: string, kind = 'openai') =>
  `providers:\n  one:\n    kind: ${kind}\n    base_url: https://one.test/v1\n    ${fields}\nmodels: []\n`;

describe('the fields of a provider', () => {
  test('are read unchanged from the file', () => {
    const text = fileOf(
      'headers: { X-Title: House, X-Key: "${HOUSE}" }\n    extra_body: { provider: { order: [a, b] }, top_k: 5 }',
    );
    expect(parseCatalogue(text, known).providers[0]).toMatchObject({
      headers: { 'X-Title': 'House', 'X-Key': '${HOUSE}' },
      extraBody: { provider: { order: ['a', 'b'] }, top_k: 5 },
    });
  });

  test.each([
    ['headers: [a]', 'headers', 'a map of header names'],
    ['headers: { "a b": c }', 'headers.a b', 'is not the name of a header'],
    ['headers: { Content-Length: "5" }', 'headers.Content-Length', 'is set by the gateway'],
    ['headers: { Host: evil.test }', 'headers.Host', 'is set by the gateway'],
    ['headers: { A: b, a: c }', 'headers', 'the same header twice'],
    ['headers: { A: "ключ" }', 'headers.A', 'Latin letters'],
    ['headers: { A: "${ZASTAVA_SECRET}" }', 'headers.A', 'ZASTAVA_'],
    ['extra_body: [a]', 'extra_body', 'a map of fields'],
    ['extra_body: { model: gpt-6-astra }', 'extra_body.model', 'is set by the gateway'],
    ['extra_body: { stream: false }', 'extra_body.stream', 'is set by the gateway'],
    ['extra_body: { max_tokens: 5 }', 'extra_body.max_tokens', 'how much an answer can cost'],
    ['extra_body: { n: 5 }', 'extra_body.n', 'how much an answer can cost'],
    [
      'extra_body: { generationConfig: { maxOutputTokens: 9 } }',
      'extra_body.generationConfig.maxOutputTokens',
      'how much an answer can cost',
    ],
    ['extra_body: { key: "${HOUSE}" }', 'extra_body.key', 'put secrets into headers'],
    ['extra_body: { a: .inf }', 'extra_body.a', 'a finite number'],
    [`extra_body: { a: ${'x'.repeat(17_000)} }`, 'extra_body', 'at most 16384 bytes'],
  ])('%j are refused', (fields, path, message) => {
    const { details } = refusalOf(() => parseCatalogue(fileOf(fields), known));
    expect(details).toHaveLength(1);
    expect(details[0]?.path).toBe(`providers.one.${path}`);
    expect(details[0]?.message).toContain(message);
  });

  test('are refused for kinds that do not support them', () => {
    const text = fileOf('headers: { A: b }\n    extra_body: { a: 1 }', 'sandbox');
    const { details } = refusalOf(() => parseCatalogue(text, known));
    expect(details.map(({ path }) => path)).toEqual([
      'providers.one.headers',
      'providers.one.extra_body',
    ]);
  });
});

for (const dialect of dialects) {
  describe(`${dialect}: the fields of a provider`, () => {
    const canary = 'header-canary-51f';
    const secretBox = (secret: string, previous?: Uint8Array<ArrayBuffer>) =>
      SecretBox.create(secret, 'catalogue', previous);

    test('are stored, a header in clear text encrypted, and never shown', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: { HOUSE: 'h-1' } });
      const text = fileOf(
        `headers: { X-Key: ${canary}, X-House: "\${HOUSE}" }\n    extra_body: { top_k: 5 }`,
      );
      const shown = [await catalogue.apply(await catalogue.read(text))];
      expect(await catalogue.apply(await catalogue.read(text))).toEqual([]);
      const again = await openCatalogue(database.db, { env: { HOUSE: 'h-1' } });
      expect(again.providerSetup('one')).toMatchObject({
        headers: { 'x-key': canary, 'x-house': 'h-1' },
        extraBody: { top_k: 5 },
      });
      expect(again.show().providers.find(({ code }) => code === 'one')).toMatchObject({
        headers: { 'X-Key': '(set)', 'X-House': '${HOUSE}' },
        extra_body: { top_k: 5 },
      });
      const other = text.replace(canary, `${canary}-2`).replace('top_k: 5', 'top_k: 6');
      shown.push(await catalogue.apply(await catalogue.read(other)));
      expect(shown[1]?.map(formatChange)).toEqual([
        'changed provider one: headers.X-Key (set) -> (set anew), extra_body {"top_k":5} -> {"top_k":6}',
      ]);
      expect(JSON.stringify([shown, catalogue.show()])).not.toContain('canary');
      const rows = await database.db.query('SELECT routing FROM providers');
      expect(JSON.stringify(rows)).not.toContain('canary');
      expect(await applied(catalogue, fileOf('timeout_seconds: 120'))).toEqual([
        'changed provider one: headers.X-House ${HOUSE} -> (none), headers.X-Key (set) -> (none), extra_body {"top_k":6} -> (none)',
      ]);
    });

    test('are encrypted again with a new secret, and unreadable with another', async () => {
      await using database = await openTestDatabase(dialect);
      await (
        await openCatalogue(database.db)
      ).apply(
        await (await openCatalogue(database.db)).read(fileOf(`headers: { X-Key: ${canary} }`)),
      );
      const next = 'another secret of the server, 32 bytes';
      const lost = await openCatalogue(database.db, { secrets: secretBox(next) });
      expect(lost.problems.unreadable).toEqual(['one']);
      expect(lost.providerSetup('one')).toBeUndefined();
      const previous = new TextEncoder().encode('a secret of the server, 32 bytes long');
      expect(await resealKeys(database.db, secretBox(next, previous))).toEqual(['one']);
      const after = await openCatalogue(database.db, { secrets: secretBox(next) });
      expect(after.providerSetup('one')?.headers).toEqual({ 'x-key': canary });
    });

    test('need their variables, and may send them over HTTP only to hosts that they are bound to', async () => {
      await using gateway = await openGateway(dialect, { env: { HOUSE: 'h-1' } });
      const admin = await gateway.addUser({ isAdmin: true });
      const { catalogue } = gateway.core;
      const text = fileOf('headers: { X-Key: "${HOUSE}" }');
      const path = '/admin/catalogue/apply/';
      const refused = await gateway.post(path, { yaml: text }, admin);
      expect([refused.status, refused.body.error?.details?.[0]?.message]).toEqual([
        422,
        expect.stringContaining('HOUSE may not be sent to https://one.test'),
      ]);
      const file = await catalogue.read(text);
      expect(catalogue.unsetIn(await catalogue.read(text.replace('HOUSE', 'NOBODYS')))).toEqual([
        'NOBODYS',
      ]);
      await catalogue.apply(file);
      expect((await gateway.post(path, { yaml: text }, admin)).status).toBe(200);
      const moved = text.replace('one.test', 'evil.test');
      expect((await gateway.post(path, { yaml: moved }, admin)).status).toBe(422);
    });
  });
}
