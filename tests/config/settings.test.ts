/** Which values settings accept, and the warnings for settings without effect. */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { defaultCacheMib } from '../../src/config/database.ts';
import { readConfig, settingWarnings } from '../../src/config/index.ts';
import { coresOf, memoryOfMib } from '../../src/config/machine.ts';
import { openInstallation } from '../cli/installation.ts';

describe('a mistyped setting', () => {
  test('is named together with the likely intended one', () => {
    const env = {
      ZASTAVA_DATABSE_URL: 'x',
      ZASTAVA_SECRET_PREVIUS: 'x',
      ZASTAVA_NONSENSE_AT_ALL: 'x',
    };
    const [database, nonsense, previous, ...more] = settingWarnings(env);
    expect(more).toEqual([]);
    expect(database).toMatch(/^ZASTAVA_DATABSE_URL is not a setting .*mean ZASTAVA_DATABASE_URL\?/);
    expect(nonsense).toMatch(/^ZASTAVA_NONSENSE_AT_ALL is not a setting .*no effect$/);
    expect(previous).toContain('(did you mean ZASTAVA_SECRET_PREVIOUS?)');
  });

  test('may have two letters exchanged', () => {
    const [warning] = settingWarnings({ ZASTAVA_PROT: '1' });
    expect(warning).toEndWith('(did you mean ZASTAVA_PORT?)');
  });

  test('with an unknown word is refused with the list of its words', () => {
    expect(() => readConfig({ ZASTAVA_REGISTRATION: 'yes' })).toThrow(
      'ZASTAVA_REGISTRATION: must be one of off, invitation, open',
    );
  });

  test.each(['http://127.0.0.1', '127.0.0.1:8080', 'not a host', '[::1]:8080', '10.0.0.0/8'])(
    'with an address that nothing can listen on is refused: %s',
    (host) => {
      expect(() => readConfig({ ZASTAVA_HOST: host })).toThrow(
        'ZASTAVA_HOST: must be an IP address or a host name, without a scheme or a port',
      );
    },
  );

  test.each(['0.0.0.0', '::', '[::1]', 'fe80::1%lo', 'localhost', 'node_1.example.com.'])(
    'is not a host such as %s',
    (host) => {
      expect(readConfig({ ZASTAVA_HOST: host }).host).toBe(host.replace(/[[\]]/g, ''));
    },
  );

  test('with a short secret is refused in the words of the other settings', () => {
    expect(() => readConfig({ ZASTAVA_WATCH_SECRET: 'x'.repeat(15) })).toThrow(
      'ZASTAVA_WATCH_SECRET: must have at least 16 characters',
    );
  });

  test('is reported by a server in its log, and by every command, even one that opens nothing', async () => {
    await using installation = await openInstallation();
    const env = { ZASTAVA_DATABSE_URL: 'postgres://x/y' };
    const server = await installation.serve(env);
    const listed = await installation.run(['user', 'list'], { env });
    expect(listed).toMatchObject({ code: 0 });
    expect(listed.err).toStartWith('zastava: ZASTAVA_DATABSE_URL is not a setting');
    const asJson = await installation.spawn(['backup', 'copy', '--json'], { env });
    expect(JSON.parse(asJson.err)).toMatchObject({ warning: expect.stringContaining('DATABSE') });
    server.signal('SIGTERM');
    const { err } = await server.exited;
    expect(JSON.parse(err)).toMatchObject({
      msg: expect.stringContaining('(did you mean ZASTAVA_DATABASE_URL?)'),
    });
  });

  test.each([
    'ZASTAVA_SERVICE_HOST',
    'ZASTAVA_SERVICE_PORT_HTTP',
    'ZASTAVA_PORT_8080_TCP',
    'ZASTAVA_PORT_8080_TCP_PROTO',
    'ZASTAVA_OTHER_PORT',
    'ZASTAVA_KEY',
  ])('is not what Kubernetes or a client has set: %s', (name) => {
    expect(settingWarnings({ [name]: 'tcp://10.0.0.1:8080', ZASTAVA_EMPTY: '' })).toEqual([]);
  });

  test('of an image store has no effect without a bucket, and a warning says so', () => {
    const parts = { ZASTAVA_IMAGES_S3_REGION: 'x', ZASTAVA_IMAGES_S3_ENDPOINT: 'https://x' };
    expect(settingWarnings(parts)).toEqual([
      expect.stringMatching(/^ZASTAVA_IMAGES_S3_ENDPOINT, \S+REGION: .*_BUCKET/),
    ]);
    expect(settingWarnings({ ...parts, ZASTAVA_IMAGES_S3_BUCKET: 'b' })).toEqual([]);
  });
});

describe('ZASTAVA_SQLITE_CACHE_MIB', () => {
  test('is a number of MiB, and goes to SQLite', () => {
    const { database } = readConfig({ ZASTAVA_SQLITE_CACHE_MIB: '512' });
    expect(database).toMatchObject({ kind: 'sqlite', cacheMib: 512 });
    for (const wrong of ['0', '-5', '1.5', '64M', '1000001']) {
      expect(() => readConfig({ ZASTAVA_SQLITE_CACHE_MIB: wrong })).toThrow(
        'ZASTAVA_SQLITE_CACHE_MIB: must be a whole number from 1 to 1000000',
      );
    }
  });

  test('has no effect on PostgreSQL, and a warning says so', () => {
    const cache = { ZASTAVA_SQLITE_CACHE_MIB: '512' };
    expect(settingWarnings(cache)).toEqual([]);
    const both = { ...cache, ZASTAVA_DATABASE_URL: 'postgres://x/y' };
    expect(settingWarnings(both)).toEqual([
      expect.stringMatching(/^ZASTAVA_SQLITE_CACHE_MIB: no effect with ZASTAVA_DATABASE_URL/),
    ]);
    expect(readConfig(both).database).not.toHaveProperty('cacheMib');
  });

  test.each([
    [128, 8],
    [512, 16],
    [1024, 32],
    [65_536, 32],
  ])('is, for %d MiB of memory, %d MiB by default', (memory, mib) => {
    expect(defaultCacheMib(memory)).toBe(mib);
  });

  test.each([
    [['max', ''], 2048],
    [['', ''], 2048],
    [['268435456', ''], 256],
    [['', '536870912'], 512],
    // No limit, as cgroup 1 writes it.
    [['', '9223372036854771712'], 2048],
  ])('takes the limit of a container for the memory: %p', (limits, mib) => {
    expect(memoryOfMib(2 ** 31, limits)).toBe(mib);
  });
});

describe('a setting', () => {
  test.each([
    ['ZASTAVA_PORT', 'tcp://10.0.0.1:8080', 'enableServiceLinks: false'],
    ['ZASTAVA_DATA_DIR', ' ', 'is blank'],
    ['ZASTAVA_DATA_DIR', '~/x', '$HOME'],
    ['ZASTAVA_DATA_DIR', '~', '$HOME'],
    ['ZASTAVA_DATABASE_URL', 'postgres://u:p@ss/w@host/db', 'percent-encoded'],
    ['ZASTAVA_DATABASE_URL', 'postgres://u:p#ss@host/db', 'percent-encoded'],
    ['ZASTAVA_DATABASE_URL', 'postgres://u:12/3@host/db', 'percent-encoded'],
    ['ZASTAVA_DATABASE_URL', 'postgres://u:100%@host/db', 'percent-encoded'],
  ])('%s=%s is refused in one line that says what to do', (name, value, advice) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: [^\n]*$`));
    expect(() => readConfig({ [name]: value })).toThrow(advice);
    if (name.endsWith('URL')) expect(() => readConfig({ [name]: value })).not.toThrow('@host');
  });

  test.each([
    'postgres://u:p%40ss%2Fw@host:5432/db',
    'postgresql://host/db?sslmode=require',
    'postgres:///db?host=/run/postgresql',
    'postgres://u:p@[::1]:5432/db',
  ])('may be the address %s', (url) => {
    expect(readConfig({ ZASTAVA_DATABASE_URL: url }).database).toMatchObject({ url });
  });

  test.each([
    ['HTTPS://Chat.Example.ORG/', 'https://chat.example.org'],
    ['https://chat.example.org:443/Gate//', 'https://chat.example.org/Gate'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ])('ZASTAVA_PUBLIC_URL=%s is %s', (given, url) => {
    expect(readConfig({ ZASTAVA_PUBLIC_URL: given }).publicUrl).toBe(url);
  });

  test('ZASTAVA_DATA_DIR may have a ~ elsewhere', () => {
    expect(readConfig({ ZASTAVA_DATA_DIR: './~x' }).dataDir).toBe(join(process.cwd(), '~x'));
  });
});

describe('ZASTAVA_WORKERS', () => {
  const onPostgres = (workers: string, more = {}) =>
    readConfig({ ZASTAVA_DATABASE_URL: 'postgres://x/y', ZASTAVA_WORKERS: workers, ...more });

  test.each([
    ['2', 10, 128],
    ['16', 5, 64],
    ['64', 3, 64],
  ])('divides connections and bytes: %s', (workers, connections, mib) => {
    const { database, bodyBudgetMib } = onPostgres(workers);
    expect([database, bodyBudgetMib]).toMatchObject([{ connectionsMax: connections }, mib]);
    const given = onPostgres(workers, { ZASTAVA_DATABASE_CONNECTIONS: '20' });
    expect(given.database).toMatchObject({ connectionsMax: 20 });
  });

  test('is a number up to 64, or auto: one for each core', () => {
    for (const wrong of ['0', '65', 'all', '1.5']) expect(() => onPostgres(wrong)).toThrow('auto');
    const { workers } = onPostgres('auto');
    expect(workers).toBeWithin(1, navigator.hardwareConcurrency + 1);
    expect(readConfig({ ZASTAVA_WORKERS: '1' }).workers).toBe(1);
  });

  test.each([
    ['max 100000', undefined],
    ['-1 100000', undefined],
    ['', undefined],
    ['50000 100000', 1],
    ['250000 100000', 2],
  ])('auto obeys the limit of a container: %p', (text, cores) => {
    expect(coresOf(text)).toBe(cores);
  });
});
