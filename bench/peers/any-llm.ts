import { join } from 'node:path';
import { freePort } from '../support/ports.ts';
import { GATEWAY_CORE, start, type Running } from '../support/processes.ts';
import { chatCompletion, mockModel, postText, streamedCompletion } from '../support/target.ts';
import { racePrice, racePriceOfAnswer, type Account, type Peer } from './peer.ts';
import { pythonWith } from './python.ts';

/** One of the last versions on PyPI that contains the gateway. */
const VERSION = '1.13.0';
const packages = [
  `any-llm-sdk[gateway,openai]==${VERSION}`,
  'psycopg[binary]==3.3.9',
  'SQLAlchemy==2.1.9',
];
const MASTER = 'benchmark-master-key';
const MODEL = `openai:${mockModel}`;
const PROGRAM = 'from any_llm.gateway.cli import cli; cli()';
/** It has 15 connections to its database, and holds one during a call: with more calls at once it stops answering. */
const CONNECTIONS = 8;
const READY_MS = 60_000;

/**
 * Mozilla's any-llm-gateway: virtual keys, budgets and usage in PostgreSQL. Each connection has a separate user, since
 * it stops answering when one user has two calls at once.
 * @returns the reason if it can't run
 */
export async function startAnyLlm(
  mockUrl: string,
  directory: string,
  database: { url: string; pid: number },
): Promise<Peer | string> {
  const found = await pythonWith({ folder: `any-llm-${VERSION}`, packages });
  if ('problem' in found) return found.problem;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = join(directory, 'any-llm.yaml');
  await Bun.write(config, configText(mockUrl, database.url, port));
  const launch = (): Promise<Running> =>
    start([found.python, '-c', PROGRAM, 'serve', '--config', config, '--log-level', '30'], {
      core: GATEWAY_CORE,
      cwd: directory,
      answers: async () => (await fetch(`${url}/health`)).ok,
      readyWithinMs: READY_MS,
    });
  let running = await launch();
  let users = 0;
  const open = async (budget?: number): Promise<Account & { user: string }> => {
    const user = `user-${++users}`;
    const budgetId =
      budget === undefined
        ? undefined
        : (
            await ask<{ budget_id: string }>(url, '/v1/budgets', {
              max_budget: budget * racePriceOfAnswer,
            })
          ).budget_id;
    await ask(url, '/v1/users', {
      user_id: user,
      ...(budgetId !== undefined && { budget_id: budgetId }),
    });
    const { key } = await ask<{ key: string }>(url, '/v1/keys', { key_name: user, user_id: user });
    return { url, headers: { authorization: `Bearer ${key}` }, model: MODEL, user };
  };
  const accounts = await Promise.all(Array.from({ length: CONNECTIONS }, () => open()));
  const texts = (body: object): string[] =>
    accounts.map(({ headers }) =>
      postText(url, '/v1/chat/completions', headers, { ...body, model: MODEL }),
    );
  const target = {
    name: `any-llm-gateway ${VERSION}, PostgreSQL`,
    url,
    requests: texts(chatCompletion),
    streams: texts({ ...streamedCompletion, stream_options: { include_usage: true } }),
    pid: running.pid,
    connectionsMax: CONNECTIONS,
    databasePid: database.pid,
  };
  return {
    target,
    books: 'PostgreSQL',
    open,
    async booked(account) {
      const { user } = account as Account & { user: string };
      const { spend } = await ask<{ spend: number }>(url, `/v1/users/${user}`);
      return Math.round(spend / racePriceOfAnswer);
    },
    async crash() {
      await running.kill();
      running = await launch();
      target.pid = running.pid;
    },
    stop: () => running.stop(),
  };
}

async function ask<T>(url: string, path: string, body?: object): Promise<T> {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-anyllm-key': `Bearer ${MASTER}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

function configText(mockUrl: string, databaseUrl: string, port: number): string {
  return `database_url: ${JSON.stringify(databaseUrl.replace(/^postgres:/, 'postgresql:'))}
host: 127.0.0.1
port: ${port}
master_key: ${MASTER}
providers:
  openai:
    api_key: none
    api_base: ${mockUrl}/v1
pricing:
  ${MODEL}:
    input_price_per_million: 0
    output_price_per_million: ${racePrice}
`;
}
