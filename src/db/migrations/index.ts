import type { Migration } from './migration.ts';
import { schema } from './012-schema.ts';
import { unreadColumns } from './013-unread-columns.ts';

/** In order of their numbers. The first one makes all tables; its number is that of the last step that it replaced. */
export const migrations = [schema, unreadColumns] as const satisfies readonly Migration[];
