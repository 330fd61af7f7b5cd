/**
 * A process of clients: each sends one message after the other on its own connection, times the accepted ones, and
 * after a refusal waits as long as the answer says. Reads a plan as JSON, prints a result.
 */
import { post } from '../support/client.ts';
import { TEXT } from '../support/catalogue.ts';

export interface LoadPlan {
  url: string;
  token: string;
  roomId: string;
  connections: number;
  /** Not measured: the time until the load is steady. */
  warmUpMs: number;
  measureMs: number;
}

/** On a busy machine the first answer may take longer than the whole measurement. */
const PATIENCE_MS = 30_000;

export interface LoadResult {
  accepted: number;
  refused: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers that are neither a success nor a 503 with Retry-After. */
  odd: Record<string, number>;
}

async function run(plan: LoadPlan): Promise<LoadResult> {
  const { url, token, roomId, connections, warmUpMs, measureMs } = plan;
  const latencies: number[] = [];
  const odd: Record<string, number> = {};
  let refused = 0;
  const start = performance.now() + warmUpMs;
  let end = start + measureMs;
  const isOver = () => performance.now() >= end + (latencies.length === 0 ? PATIENCE_MS : 0);
  const body = { room_id: roomId, ai: TEXT, message: 'load', max_output_tokens: 50 };
  const client = async () => {
    while (!isOver()) {
      const sentAt = performance.now();
      const answer = await post(url, token, '/ai/send/', body);
      const now = performance.now();
      const seconds = Number(answer?.headers.get('retry-after') ?? 0);
      if (answer?.status === 200 && latencies.length === 0) end = Math.max(end, now);
      const isMeasured = sentAt >= start && now <= end;
      if (answer?.status === 200) {
        if (isMeasured) latencies.push(now - sentAt);
      } else if (answer?.status === 503 && seconds > 0) {
        if (isMeasured) refused++;
        // So that not all end at the same moment.
        await Bun.sleep(seconds * 1_000 * (0.5 + Math.random()));
      } else {
        const what = `${answer?.status} ${answer?.code}`;
        odd[what] = (odd[what] ?? 0) + 1;
        await Bun.sleep(100);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  latencies.sort((a, b) => a - b);
  const at = (share: number) => Math.round(latencies[Math.floor(latencies.length * share)] ?? 0);
  return {
    accepted: latencies.length,
    refused,
    odd,
    perSecond: Math.round(latencies.length / ((end - start) / 1_000)),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}

if (import.meta.main) {
  console.log(JSON.stringify(await run((await Bun.stdin.json()) as LoadPlan)));
  process.exit(0);
}
