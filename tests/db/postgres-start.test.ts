/** PostgreSQL databases and roles with unusual settings. */
import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { migrate, openDatabase, type Database, type Param } from '../../src/db/index.ts';
import { randomHex } from '../../src/lib/ids.ts';
import { openNewInstallation } from '../cli/installation.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';
import { postgresServer } from '../support/postgres.ts';

/** Any encoding goes with this locale. */
const PLAIN = "LOCALE 'C' TEMPLATE template0";

describe.if(dialects.includes('postgres'))('postgres: what a start finds', () => {
  test("the database is the URL's, even if PGDATABASE names another", async () => {
    await using installation = await openNewInstallation('postgres');
    const env = { PGDATABASE: 'nowhere' };
    expect(await installation.run(['user', 'add', 'ivan'], { env })).toMatchObject({ code: 0 });
    const { out } = await installation.run(['user', 'list']);
    expect(out).toContain('ivan');
  });

  test.each(['LATIN1', 'WIN1251'])('a database encoded in %s is refused', async (encoding) => {
    await using database = await emptyDatabase(`ENCODING '${encoding}' ${PLAIN}`);
    const refused = String(await failure(migrate(database.db)));
    expect(refused).toContain(`the database has the encoding ${encoding}`);
    const [, remedy = ''] = /CREATE DATABASE name (.*)$/.exec(refused) ?? [];
    await using other = await emptyDatabase(remedy);
    expect(await migrate(other.db)).not.toEqual([]);
  });

  test('a database of encoding SQL_ASCII is accepted like UTF-8', async () => {
    await using database = await emptyDatabase(`ENCODING 'SQL_ASCII' ${PLAIN}`);
    await migrate(database.db);
    const text = 'Застава 🏰';
    expect(await database.db.query('SELECT CAST($1 AS TEXT) AS text', [text])).toEqual([{ text }]);
  });

  test('a role without the right to create tables is refused, with advice', async () => {
    await using database = await openTestDatabase('postgres', { migrated: false });
    if (database.config.kind !== 'postgres') throw new Error('this is about PostgreSQL');
    const role = `guest_${randomHex(4)}`;
    const url = new URL(database.config.url);
    const name = url.pathname.slice(1);
    await administer(`CREATE ROLE ${role} LOGIN`);
    await administer('REVOKE CREATE ON SCHEMA public FROM PUBLIC', name);
    url.username = role;
    const guest = openDatabase({ kind: 'postgres', url: url.href });
    expect(String(await failure(migrate(guest)))).toMatch(
      /permission denied for schema public: .*ALTER DATABASE name OWNER TO role/,
    );
    await administer(`ALTER DATABASE ${name} OWNER TO ${role}`);
    expect(await migrate(guest)).not.toEqual([]);
    await guest.close();
    await administer(`REASSIGN OWNED BY ${role} TO postgres`, name);
    await administer(`DROP ROLE ${role}`);
  });

  test('migrations run to their end, however short the statement timeout is', async () => {
    await using database = await openTestDatabase('postgres', { migrated: false });
    if (database.config.kind !== 'postgres') throw new Error('this is about PostgreSQL');
    const hurry = encodeURIComponent('-c statement_timeout=1h -c lock_timeout=1h');
    const db = openDatabase({ kind: 'postgres', url: `${database.config.url}?options=${hurry}` });
    const times = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`;
    const seen: unknown[] = [];
    const watched: Database = {
      ...db,
      transaction: (work) =>
        db.transaction((tx) => {
          const query: typeof tx.query = async <R>(text: string, params?: readonly Param[]) => {
            const rows = await tx.query<R>(text, params);
            seen.push(...(await tx.query(times)));
            return rows;
          };
          return work({ ...tx, query });
        }),
    };
    await migrate(watched);
    expect(seen).toEqual(seen.map(() => ({ statement: '0', lock: '0' })));
    // Only for this transaction: everything else keeps its timeout.
    expect(await db.query(times)).toEqual([{ statement: '1h', lock: '1h' }]);
    await db.close();
  });

  test('a search_path without a schema is refused, with advice', async () => {
    await using database = await openTestDatabase('postgres', { migrated: false });
    if (database.config.kind !== 'postgres') throw new Error('this is about PostgreSQL');
    const db = openDatabase({
      kind: 'postgres',
      url: `${database.config.url}?search_path=nowhere`,
    });
    expect(String(await failure(migrate(db)))).toMatch(/no schema .* in its search_path/);
    await db.close();
  });
});

/** @param options of CREATE DATABASE */
async function emptyDatabase(options: string) {
  const name = `zastava_test_${randomHex(8)}`;
  await administer(`CREATE DATABASE ${name} ${options}`);
  const db = openDatabase({ kind: 'postgres', url: (await postgresServer()).urlOf(name) });
  return {
    db,
    async [Symbol.asyncDispose]() {
      await db.close();
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function administer(statement: string, database = 'postgres'): Promise<void> {
  await using sql = new SQL((await postgresServer()).urlOf(database), { max: 1 });
  await sql.unsafe(statement);
}
