import type { Database } from '../db/index.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { withKeys, type RoutingFacts } from './routing.ts';
import { lockCatalogue, SEALED } from './store.ts';

/**
 * Re-encrypts keys that only the previous server secret decrypts, so that the previous secret can be removed. May run at
 * any time, on several nodes at once: all of them have both secrets by then.
 * @returns the codes of the providers whose keys were re-encrypted
 */
export async function resealKeys(db: Database, secrets: SecretBox): Promise<string[]> {
  return db.transaction(async (tx) => {
    await lockCatalogue(tx);
    const rows = await tx.query<{ code: string; apiKey: string | null; routing: string | null }>(
      'SELECT code, api_key AS "apiKey", routing FROM providers ORDER BY code',
    );
    const renewed: string[] = [];
    for (const { code, apiKey, routing } of rows) {
      const renew = async (key: string) => {
        if (!key.startsWith(SEALED)) return key;
        const sealed = await secrets.renewed(key.slice(SEALED.length), code);
        return sealed === undefined ? key : SEALED + sealed;
      };
      const newKey = apiKey === null ? null : await renew(apiKey);
      // Written by the store.
      const newRouting =
        routing === null
          ? null
          : JSON.stringify(await withKeys(JSON.parse(routing) as RoutingFacts, renew));
      if (newKey === apiKey && newRouting === routing) continue;
      await tx.query('UPDATE providers SET api_key = $1, routing = $2 WHERE code = $3', [
        newKey,
        newRouting,
        code,
      ]);
      renewed.push(code);
    }
    return renewed;
  });
}
