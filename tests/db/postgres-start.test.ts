/** PostgreSQL databases and roles as operators may have set them up. */
import { describe, expect, test } from 'bun:test';
import { openInstallation } from '../cli/installation.ts';
import { dialects } from '../support/databases.ts';

describe.if(dialects.includes('postgres'))('postgres: what a start finds', () => {
  test('the database is that of the URL, whatever PGDATABASE of the environment says', async () => {
    await using installation = await openInstallation('postgres');
    const env = { PGDATABASE: 'nowhere' };
    expect(await installation.run(['user', 'add', 'ivan'], { env })).toMatchObject({ code: 0 });
    const { out } = await installation.run(['user', 'list']);
    expect(out).toContain('ivan');
  });
});
