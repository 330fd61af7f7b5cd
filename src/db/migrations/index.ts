import type { Migration } from './migration.ts';
import { gateway } from './001-gateway.ts';
import { trust } from './002-trust.ts';
import { crawl } from './003-crawl.ts';
import { limits } from './004-limits.ts';
import { tokenKinds } from './005-token-kinds.ts';
import { rights } from './006-rights.ts';
import { noReplace } from './007-no-replace.ts';
import { imageRemoval } from './008-image-removal.ts';
import { purgeIndexes } from './009-purge-indexes.ts';
import { roomBlocks } from './010-room-blocks.ts';
import { erasures } from './011-erasures.ts';
import { unreadColumns } from './012-unread-columns.ts';

/** In order of their numbers, each imported by name: nothing is found by scanning. */
export const migrations: readonly Migration[] = [
  gateway,
  trust,
  crawl,
  limits,
  tokenKinds,
  rights,
  noReplace,
  imageRemoval,
  purgeIndexes,
  roomBlocks,
  erasures,
  unreadColumns,
];
