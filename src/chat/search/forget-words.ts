import { queryIn, type Tx } from '../../db/index.ts';

export async function forgetWords(tx: Tx, userId: number, ids: readonly number[]): Promise<void> {
  await queryIn(tx, 'DELETE FROM search_texts WHERE user_id = $1 AND message_id IN (LIST)', ids, [
    userId,
  ]);
}
