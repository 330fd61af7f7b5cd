import { selectIn, type Tx } from '../../db/index.ts';
import { AccountBook, LimitBook } from '../../ledger/index.ts';
import type { RoomRow, SendCommand, SendCommandResult } from './commands.ts';
import { HoldBatch } from './hold-batch.ts';
import { SettleBatch } from './settle-batch.ts';

/**
 * Runs holds and settles of many users in one transaction, with a number of statements that does not
 * grow with the batch. Commands take effect in their order: the rules see each other's effects through
 * the account book. The users' account rows are locked first, which orders everything else of a user.
 */
export async function runSendBatch(tx: Tx, commands: SendCommand[]): Promise<SendCommandResult[]> {
  const book = await AccountBook.open(
    tx,
    commands.map((command) => command.userId),
  );
  const limits = await LimitBook.open(tx, book.limitedUsers());
  const rooms = await readRooms(tx, commands);
  const holds = await HoldBatch.open(tx, commands, book, limits, rooms);
  const settles = await SettleBatch.open(tx, commands, book, limits, rooms);
  const results = commands.map((command) =>
    command.kind === 'hold' ? holds.apply(command) : settles.apply(command),
  );
  await book.flush(tx);
  await limits.flush(tx);
  await holds.flush(tx);
  await settles.flush(tx);
  return results;
}

async function readRooms(tx: Tx, commands: SendCommand[]): Promise<Map<string, RoomRow>> {
  const ids = [...new Set(commands.map((command) => command.roomId))];
  const rows = await selectIn<RoomRow>(
    tx,
    `SELECT room_id AS "roomId", user_id AS "userId", deleted_at AS "deletedAt",
       erased_through AS "erasedThrough", CASE WHEN title = '' THEN 1 ELSE 0 END AS untitled
     FROM rooms WHERE room_id IN (LIST)`,
    ids,
  );
  return new Map(rows.map((row) => [row.roomId, row]));
}
