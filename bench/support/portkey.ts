import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from './cache.ts';
import { GATEWAY_CORE, start } from './processes.ts';
import type { Gateway, GatewayPlace } from './gateway.ts';
import { freePort } from './ports.ts';
import { chatCompletion, postText, streamedCompletion } from './target.ts';

const VERSION = '1.15.2';
/** The versions in its own lock file: with newer ones, its streams end in an error. */
const overrides = { hono: '4.9.7', '@hono/node-server': '1.13.5', '@hono/node-ws': '1.2.0' };
const INSTALL_MS = 120_000;
const ENTRY = 'node_modules/@portkey-ai/gateway/build/start-server.js';

/** Portkey's gateway, from npm. @returns the reason if Node or the registry can't be reached */
export async function startPortkey({ mockUrl }: GatewayPlace): Promise<Gateway | string> {
  const node = Bun.which('node');
  if (node === null) return 'there is no Node to run it on';
  const directory = join(cacheDirectory(), `portkey-${VERSION}`);
  const problem = await install(directory);
  if (problem !== undefined) return problem;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = await start([node, ENTRY, `--port=${port}`, '--headless'], {
    core: GATEWAY_CORE,
    cwd: directory,
    env: { NODE_ENV: 'production' },
    answers: async () => (await fetch(url)).ok,
  });
  const headers = {
    authorization: 'Bearer none',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `${mockUrl}/v1`,
  };
  return {
    target: {
      name: `Portkey ${VERSION}`,
      url,
      requests: [postText(url, '/v1/chat/completions', headers, chatCompletion)],
      streams: [postText(url, '/v1/chat/completions', headers, streamedCompletion)],
      pid: running.pid,
    },
    stop: () => running.stop(),
  };
}

async function install(directory: string): Promise<string | undefined> {
  if (await Bun.file(join(directory, ENTRY)).exists()) return undefined;
  const npm = Bun.which('npm');
  if (npm === null) return 'there is no npm to install it with';
  await mkdir(directory, { recursive: true });
  const dependencies = { '@portkey-ai/gateway': VERSION };
  await Bun.write(
    join(directory, 'package.json'),
    JSON.stringify({ private: true, dependencies, overrides }),
  );
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const run = Bun.spawn([npm, 'install', ...flags], {
    cwd: directory,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: INSTALL_MS,
  });
  const errors = await new Response(run.stderr).text();
  if ((await run.exited) === 0) return undefined;
  const [why = 'no reason given'] = errors.trim().split('\n');
  return `npm could not install it: ${why}`;
}
