import { queryIn, together, type Tx } from '../../db/index.ts';
import { AccountBook, LimitBook } from '../../ledger/index.ts';
import type { RoomRow, SendCommand, SendCommandResult } from './commands.ts';
import { HoldBatch, readKeys } from './hold-batch.ts';
import { SettleBatch } from './settle-batch.ts';

/**
 * Runs holds and settles of many users in one transaction, with a number of statements that does not
 * grow with the batch. Commands take effect in their order: the rules see each other's effects through
 * the account book. The users' account rows are locked first, which orders everything else of a user.
 */
export async function runSendBatch(tx: Tx, commands: SendCommand[]): Promise<SendCommandResult[]> {
  const [book, rooms, keys] = await together([
    AccountBook.open(
      tx,
      commands.map((command) => command.userId),
    ),
    readRooms(tx, commands),
    readKeys(tx, commands),
  ]);
  const limits = await LimitBook.open(tx, book.limitedUsers());
  const holds = new HoldBatch(book, limits, rooms, keys);
  const settles = await SettleBatch.open(tx, commands, book, limits, rooms);
  const results = commands.map((command) =>
    command.kind === 'hold' ? holds.apply(command) : settles.apply(command),
  );
  await together([book.flush(tx), limits.flush(tx), holds.flush(tx), settles.flush(tx)]);
  return results;
}

async function readRooms(tx: Tx, commands: SendCommand[]): Promise<Map<string, RoomRow>> {
  const ids = [...new Set(commands.map((command) => command.roomId))];
  const rows = await queryIn<RoomRow>(
    tx,
    `SELECT room_id AS "roomId", user_id AS "userId", deleted_at AS "deletedAt",
       erased_through AS "erasedThrough", CASE WHEN title = '' THEN 1 ELSE 0 END AS untitled, recent
     FROM rooms WHERE room_id IN (LIST)`,
    ids,
  );
  return new Map(rows.map((row) => [row.roomId, row]));
}
