/** Helpers for the tests of a user's records. */
import { noUsageCounts, prepareInsert, tables } from '../../src/db/index.ts';
import type { Gateway } from '../support/gateway.ts';
import type { ScriptedProvider } from '../support/scripted-provider.ts';

export const TEXT_MODEL = 1;
export const IMAGE_MODEL = 2;
export const DAY_MS = 86_400_000;

export interface Sent {
  id: number;
  response: string;
  balance: number;
  cost_request: number;
  cost_response: number;
}

export function send(
  gateway: Gateway,
  token: string,
  body: { room_id: string; message: string; ai?: number },
): Promise<Sent> {
  return gateway.data('/ai/send/', { ai: TEXT_MODEL, max_output_tokens: 500, ...body }, { token });
}

const insertUsage = prepareInsert(tables.usage_daily);

/** One day of usage of one model, with a spend of one ruble. */
export async function addUsage(gateway: Gateway, userId: number, days: string[]): Promise<void> {
  await gateway.core.db.transaction((tx) =>
    insertUsage(
      tx,
      days.map((day) => ({
        ...noUsageCounts,
        user_id: userId,
        day: Date.parse(day) / DAY_MS,
        model_id: TEXT_MODEL,
        requests: 1,
        prompt_tokens: 2,
        completion_tokens: 3,
        spend: 1_000_000,
        key_id: '',
      })),
    ),
  );
}

/** A model on a scripted provider, besides the sandbox. */
export const catalogueOf = (provider: ScriptedProvider) => `
sandbox: on
providers:
  up: { kind: openai, base_url: '${provider.baseUrl}', api_key: key }
models:
  - { id: 150, provider: up, model: scripted, type: TEXT, max_input_tokens: 1000,
      max_output_tokens: 500, cost_input_tokens_rub: 0, cost_output_tokens_rub: 0,
      cost_input_fix_rub: 0.000001, cost_output_fix_rub: 0.1 }
`;
