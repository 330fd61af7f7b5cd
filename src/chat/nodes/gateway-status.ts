import type { Catalogue } from '../../catalogue/index.ts';
import type { Database, Dialect } from '../../db/index.ts';
import { toUnixSeconds, type Clock } from '../../lib/clock.ts';
import { dateOf, dayZone } from '../../lib/days.ts';
import { toRubles, type Micro } from '../../lib/money.ts';
import type { BreakerState, RecentUse } from '../../providers/index.ts';
import type { Users } from '../../users/index.ts';
import type { UsageSums } from '../account/usage-sums.ts';

/** The most open holds that are listed, oldest first. */
const HOLDS_LISTED_MAX = 20;
/** How many users with the largest spend of today are listed. */
const TOP_USERS = 10;

export interface ServerFacts {
  node: number;
  startedAt: number;
  breakerOf: (provider: string) => BreakerState;
  recentUseOf: (provider: string) => RecentUse;
}

interface StatusParts {
  db: Database;
  clock: Clock;
  catalogue: Catalogue;
  users: Users;
  usageSums: UsageSums;
}

interface OpenHold {
  userId: number;
  messageId: number;
  node: number;
  versionId: number;
  hold: Micro;
  createdAt: number;
}

export type StatusView = Awaited<ReturnType<typeof readStatus>>;

/**
 * What an operator looks at first, as JSON: providers, open holds, nodes, today's spend. It reads sums and the index of
 * open messages, so its cost does not grow with the database.
 * @param server undefined on the command line
 */
export async function readStatus(parts: StatusParts, version: string, server?: ServerFacts) {
  const { db, clock } = parts;
  const dialect: Dialect = db.dialect;
  return {
    version,
    database: dialect,
    started_at: server ? toUnixSeconds(server.startedAt) : null,
    nodes: await nodesOf(db, server?.node),
    providers: providersOf(parts.catalogue, server),
    open_holds: await openHolds(parts),
    today: await todayOf(parts, dateOf(clock.now())),
  };
}

async function nodesOf(db: Database, own: number | undefined) {
  const nodes = await db.query<{ id: number; slot: string; holds: number }>(
    `SELECT n.id, n.slot, (SELECT COUNT(*) FROM messages m
       WHERE m.node_id = n.id AND m.state = 'pending') AS holds
     FROM nodes n ORDER BY n.id`,
  );
  // The part after the @ is the digest of a lock, which tells people nothing.
  return nodes.map(({ id, slot, holds }) => ({
    id,
    name: slot.split('@')[0] ?? slot,
    is_this: id === own,
    open_holds: holds,
  }));
}

function providersOf(catalogue: Catalogue, server: ServerFacts | undefined) {
  const models = catalogue.list();
  return catalogue.show().providers.map(({ code, kind, origin }) => {
    const use = server?.recentUseOf(code);
    return {
      code,
      kind,
      origin,
      models: models.filter((model) => model.provider === code).length,
      breaker: server?.breakerOf(code) ?? null,
      problem: (server && catalogue.whyUnusable(code)) ?? null,
      calls: use?.calls ?? null,
      failures: use?.failures ?? null,
      last_failure: use?.lastFailure
        ? { outcome: use.lastFailure.outcome, at: toUnixSeconds(use.lastFailure.at) }
        : null,
    };
  });
}

async function openHolds({ db, catalogue, users }: StatusParts) {
  const [all] = await db.query<{ count: number; amount: Micro }>(
    `SELECT COUNT(*) AS count, CAST(COALESCE(SUM(hold), 0) AS BIGINT) AS amount
     FROM messages WHERE state = 'pending'`,
  );
  const oldest = await db.query<OpenHold>(
    `SELECT user_id AS "userId", id AS "messageId", node_id AS node, version_id AS "versionId",
       hold, created_at AS "createdAt"
     FROM messages WHERE state = 'pending' ORDER BY created_at, user_id, id LIMIT $1`,
    [HOLDS_LISTED_MAX],
  );
  const logins = await users.many(oldest.map(({ userId }) => userId));
  return {
    count: all?.count ?? 0,
    amount: toRubles(all?.amount ?? 0),
    oldest: await Promise.all(
      oldest.map(async ({ userId, messageId, node, versionId, hold, createdAt }) => {
        const { id, model } = await catalogue.versionView(versionId);
        return {
          login: logins.get(userId)?.login ?? '',
          message_id: messageId,
          model_id: id,
          model,
          node,
          hold: toRubles(hold),
          created_at: toUnixSeconds(createdAt),
        };
      }),
    ),
  };
}

async function todayOf({ usageSums, users }: StatusParts, today: string) {
  const query = { from: today, to: today, by: ['user'], limit: TOP_USERS } as const;
  const { rows, total } = await usageSums.read(query);
  const logins = await users.many(rows.map(({ userId }) => userId ?? 0));
  return {
    day: today,
    day_zone: dayZone(),
    requests: total.requests,
    spend: toRubles(total.spend),
    top_users: rows.map(({ userId, requests, spend }) => ({
      login: logins.get(userId ?? 0)?.login ?? '',
      requests,
      spend: toRubles(spend),
    })),
  };
}
