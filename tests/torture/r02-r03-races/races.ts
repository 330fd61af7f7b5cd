/** Several nodes on one database, with one provider behind them, and many requests at once. */
import type { Dialect } from '../../../src/db/index.ts';
import { nodesOn } from '../support/campaign.ts';
import { CAP_MAX, modelsOfAllWays, TEXT } from '../support/catalogue.ts';
import type { Answer } from '../support/client.ts';
import type { ReportedUsage } from '../support/journal-provider.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { openStand, type Stand } from '../support/stand.ts';

export interface RaceSizes extends Record<string, number> {
  rounds: number;
  requests: number;
  /** On PostgreSQL; SQLite has one. */
  nodes: number;
}

const PROVIDER_DELAY_MS = 30;

export interface Race {
  stand: Stand;
  servers: ServerProcess[];
  /** Does one thing so often concurrently, evenly over the nodes. */
  atOnce: <T>(requests: number, one: (url: string) => Promise<T>) => Promise<T[]>;
}

/** @param reported the usage in the answer to a message; by default it differs for each message */
export async function openRace(
  dialect: Dialect,
  nodes: number,
  stack: AsyncDisposableStack,
  reported?: (message: string) => ReportedUsage,
): Promise<Race & { first: ServerProcess }> {
  const plan = (message: string) => ({
    delayMs: PROVIDER_DELAY_MS,
    ...(reported && { reported: reported(message) }),
  });
  const stand = stack.use(await openStand(dialect, { plan, models: modelsOfAllWays }));
  const first = await stand.start(0);
  const servers = [first];
  const count = nodesOn(dialect, nodes);
  for (let node = 1; node < count; node++) servers.push(await stand.start(node));
  return {
    stand,
    servers,
    first,
    atOnce: (requests, one) =>
      Promise.all(
        Array.from({ length: requests }, (_, index) =>
          one(servers[index % servers.length]?.url ?? ''),
        ),
      ),
  };
}

/** A send that costs as much as it may. */
export function dearSend(roomId: string, message: string): object {
  return { room_id: roomId, ai: TEXT, message, max_output_tokens: CAP_MAX };
}

/** Answers of another status than expected, each kind once. */
export function others(answers: readonly (Answer | undefined)[], expected: number[]): string[] {
  const odd = answers.filter((answer) => !answer || !expected.includes(answer.status));
  return [...new Set(odd.map((answer) => `answered ${answer?.status} ${answer?.code}`))];
}
