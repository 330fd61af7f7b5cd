import { join } from 'node:path';
import { freePort } from '../support/ports.ts';
import { GATEWAY_CORE, start, type Running } from '../support/processes.ts';
import {
  chatCompletion,
  mockModel,
  postText,
  streamedCompletion,
  type Target,
} from '../support/target.ts';
import { racePrice, racePriceOfAnswer, type Account, type Peer } from './peer.ts';
import { pythonWith } from './python.ts';

const VERSION = '1.108.7';
const KEY = 'sk-benchmark-4f8c2b9a7d1e6035c2a94b7e8f10d3c6';
/** It takes long to load. */
const READY_MS = 180_000;
const PROGRAM = 'import sys; from litellm import run_server; sys.exit(run_server())';

export const withoutPostgres =
  'LiteLLM with PostgreSQL (virtual keys, budgets, spend in tables) is not in the table: its database client, Prisma, downloads an engine from a host of its own, which is no package registry; npm and PyPI have only the downloader';

/**
 * LiteLLM's proxy configured for production as its documents say, without a database. @returns the reason if it can't
 * run
 */
export async function startLitellm(mockUrl: string, directory: string): Promise<Peer | string> {
  const found = await pythonWith({
    folder: `litellm-${VERSION}`,
    packages: [`litellm[proxy]==${VERSION}`],
  });
  if ('problem' in found) return found.problem;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = join(directory, 'litellm.yaml');
  const launch = async (budget?: number): Promise<Running> => {
    await Bun.write(config, configText(mockUrl, budget));
    const words = ['--config', config, '--host', '127.0.0.1', '--port', String(port)];
    return start([found.python, '-c', PROGRAM, ...words, '--num_workers', '1'], {
      core: GATEWAY_CORE,
      cwd: directory,
      env: {
        LITELLM_MODE: 'PRODUCTION',
        LITELLM_LOG: 'ERROR',
        // Otherwise it fetches prices from the internet.
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
      },
      answers: async () => (await fetch(`${url}/health/liveliness`)).ok,
      readyWithinMs: READY_MS,
    });
  };
  let running = await launch();
  const headers = { authorization: `Bearer ${KEY}` };
  const target: Target = {
    name: `LiteLLM ${VERSION}, no database`,
    url,
    requests: [postText(url, '/v1/chat/completions', headers, chatCompletion)],
    streams: [postText(url, '/v1/chat/completions', headers, streamedCompletion)],
    pid: running.pid,
  };
  const again = async (budget?: number): Promise<void> => {
    await running.kill();
    running = await launch(budget);
    target.pid = running.pid;
  };
  const account: Account = { url, headers, model: mockModel };
  return {
    target,
    books: 'none without a database',
    async open(budget) {
      if (budget !== undefined) await again(budget);
      return account;
    },
    booked: () => undefined,
    crash: () => again(),
    stop: () => running.stop(),
  };
}

/** Following its documents: production settings, and a provider's budget, the only kind that needs no database. */
function configText(mockUrl: string, budget: number | undefined): string {
  const router =
    budget === undefined
      ? ''
      : `router_settings:
  provider_budget_config:
    openai:
      budget_limit: ${budget * racePriceOfAnswer}
      time_period: 1d
`;
  return `model_list:
  - model_name: ${mockModel}
    litellm_params:
      model: openai/${mockModel}
      api_base: ${mockUrl}/v1
      api_key: none
      input_cost_per_token: 0
      output_cost_per_token: ${racePrice / 1_000_000}
general_settings:
  master_key: ${KEY}
litellm_settings:
  request_timeout: 600
  set_verbose: false
  json_logs: true
${router}`;
}
