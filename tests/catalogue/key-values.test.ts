/** A key from an environment variable must follow the same rule as a key in the file. */
import { describe, expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openInstallation } from '../cli/installation.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { fileOf, modelOf, openCatalogue, rejectionOf } from './fixtures.ts';

const file = fileOf([modelOf(101, 'a')]);
const unusable = ['ключ', 'sk-one\nsk-two', 'sk-“quoted”'];

for (const dialect of dialects) {
  describe(`${dialect}: a variable with an invalid key`, () => {
    test.each(unusable)('is refused by its name with the file: %j', async (value) => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: { UP_KEY: value } });
      const several = file.replace(
        'api_key: ${UP_KEY}',
        'api_keys: [{ key: a }, { key: "${UP_KEY}" }]',
      );
      for (const [text, path] of [
        [file, 'providers.up.api_key'],
        [several, 'providers.up.api_keys[1].key'],
      ] as const) {
        const refused = await rejectionOf(catalogue.apply(text));
        expect(refused).toMatchObject({
          code: 'invalid_request',
          details: [{ path, message: expect.stringContaining('the value of UP_KEY in the env') }],
        });
        expect(String(refused)).not.toContain(value);
      }
      expect(catalogue.get(101)).toBeUndefined();
    });

    test('is not sent by a server whose file was applied elsewhere', async () => {
      await using database = await openTestDatabase(dialect);
      await (await openCatalogue(database.db)).apply(file);
      const catalogue = await openCatalogue(database.db, { env: { UP_KEY: 'ключ' } });
      expect(catalogue.problems.unusable).toEqual(['UP_KEY']);
      expect(catalogue.providerSetup('up')).toBeUndefined();
      expect(catalogue.whyUnusable('up')).toBe('not usable as keys in the environment: UP_KEY');
      const set = await openCatalogue(database.db, { env: { UP_KEY: ' sk-usable\n' } });
      expect(set.problems.unusable).toEqual([]);
      expect(set.providerSetup('up')?.apiKey).toBe('sk-usable');
    });

    test('is refused by the admin operation, with the line', async () => {
      await using gateway = await openGateway(dialect, { env: { UP_KEY: 'ключ' } });
      const admin = await gateway.addUser({ isAdmin: true });
      const elsewhere = { db: gateway.core.db, env: { UP_KEY: 'sk-usable' } };
      await (await openCatalogue(elsewhere.db, elsewhere)).apply(file);
      const { status, body } = await gateway.post(
        '/admin/catalogue/apply/',
        { yaml: file },
        { token: admin.token },
      );
      expect(status).toBe(422);
      expect(body.error?.details?.[0]?.message).toMatch(/^line \d+: the value of UP_KEY /);
    });
  });
}

describe('a server', () => {
  test('does not start if a variable of its file, of a stored provider or of a preset has an invalid key', async () => {
    await using installation = await openInstallation();
    const { run, dir } = installation;
    const path = join(dir, 'catalogue.yaml');
    await writeFile(path, file);
    const env = { UP_KEY: 'ключ' };
    const own = await run(['serve'], { env: { ...env, ZASTAVA_CATALOGUE: path } });
    expect(own).toMatchObject({ code: 1, out: '' });
    expect(own.err).toContain('UP_KEY');
    expect((await run(['catalogue', 'apply', path, '--allow-unset'])).code).toBe(0);
    for (const bad of [env, { UP_KEY: 'sk', OPENAI_API_KEY: 'ключ' }]) {
      const { code, err } = await run(['serve'], { env: bad });
      expect(code).toBe(78);
      expect(err).toMatch(/^zastava: (UP_KEY|OPENAI_API_KEY): a provider's key must be [^\n]*\n$/);
      expect(err).not.toContain('ключ');
    }
  });
});
