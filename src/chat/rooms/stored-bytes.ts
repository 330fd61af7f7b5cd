import type { Tx } from '../../db/index.ts';
import type { KeptRequest } from '../commit/commands.ts';

/** The bytes that a message counts towards those stored for its user, as SQL over its row; images count separately. */
export const storedBytes = `OCTET_LENGTH(system_prompt) + OCTET_LENGTH(request) + OCTET_LENGTH(response)
  + COALESCE((SELECT OCTET_LENGTH(input) + OCTET_LENGTH(settings) + COALESCE(OCTET_LENGTH(output), 0)
      FROM responses WHERE responses.user_id = messages.user_id AND message_id = messages.id), 0)`;

/** The same for a request. */
export function requestBytes(
  { systemPrompt, request }: { systemPrompt: string; request: string },
  kept: KeptRequest | undefined,
): number {
  const bytes = Buffer.byteLength(systemPrompt) + Buffer.byteLength(request);
  if (!kept) return bytes;
  return bytes + Buffer.byteLength(kept.settings) + Buffer.byteLength(kept.input);
}

/** Subtracts bytes that are no longer stored. The caller holds the account's lock. */
export async function forgetBytes(tx: Tx, userId: number, bytes: number): Promise<void> {
  const text = 'UPDATE accounts SET stored_bytes = stored_bytes - $2 WHERE user_id = $1';
  await tx.query(text, [userId, bytes]);
}
