import type { Database } from '../db/index.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { lockCatalogue, type Routing, SEALED, withSecrets } from './store.ts';

/**
 * Re-encrypts keys that only the previous server secret decrypts, so that the previous secret can be removed. May run
 * at any time, on several nodes at once: all nodes have both secrets by then.
 * @returns the codes of the providers whose keys were re-encrypted
 */
export async function resealKeys(db: Database, secrets: SecretBox): Promise<string[]> {
  return db.transaction(async (tx) => {
    await lockCatalogue(tx);
    const rows = await tx.query<{ code: string; routing: string }>(
      'SELECT code, routing FROM providers ORDER BY code',
    );
    const renewed: string[] = [];
    for (const { code, routing } of rows) {
      const stored = JSON.parse(routing) as Routing;
      const fresh = withSecrets(stored, (text) => {
        const sealed = text.startsWith(SEALED) && secrets.renewed(text.slice(SEALED.length), code);
        return sealed ? SEALED + sealed : text;
      });
      if (Bun.deepEquals(fresh, stored)) continue;
      await tx.query('UPDATE providers SET routing = $1 WHERE code = $2', [
        JSON.stringify(fresh),
        code,
      ]);
      renewed.push(code);
    }
    return renewed;
  });
}
