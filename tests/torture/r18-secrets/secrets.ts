/**
 * Promise R18: secrets stay secret. Unique keys, passwords and tokens are used in every possible way; then every
 * answer, log line, metric, row, file and line of the command line is searched for them.
 */
import { join } from 'node:path';
import { campaign, linesOf, type Report, type Run } from '../support/campaign.ts';
import { ADMIN, postOk, newRoom } from '../support/client.ts';
import { documentOf, isAdministrative, nobodyThere, routesOf } from '../support/routes.ts';
import { openStand, SECRET, type Stand } from '../support/stand.ts';
import { ERRORS, startLeakyProvider } from './bad-provider.ts';
import { dump, findIn, note, type Places } from './places.ts';

const KEYS = { clear: 'sk-canary-in-clear-90f1', environment: 'sk-canary-of-environment-77c2' };
const USER = { login: 'canary-user', password: 'canary-password-41ab' };
const PROMPT = 'canary-prompt-0d9e';
const root = join(import.meta.dir, '../../..');

export const secrets = campaign({
  name: 'secrets',
  promise: 'R18',
  title: 'secrets stay',
  full: { rounds: 10, commands: 7 },
  small: { rounds: 1, commands: 1 },
  smallDialects: ['sqlite'],
  run: runSecrets,
});

async function runSecrets({
  dialect,
  sizes,
}: Run<{ rounds: number; commands: number }>): Promise<Report> {
  await using provider = await startLeakyProvider();
  const env = {
    ...nobodyThere,
    ZASTAVA_LOG_LEVEL: 'trace',
    CANARY_KEY: KEYS.environment,
  };
  const catalogue = catalogueOf(provider.baseUrl);
  await using stand = await openStand(dialect, { catalogue, env });
  const server = await stand.start();
  const { url } = server;
  const admin = await stand.fillPurse(url);
  await postOk(url, admin, '/admin/users/add/', { ...USER, credit: 1_000 });
  const { token } = await postOk(url, undefined, '/auth/login/', USER);
  const { key } = await postOk(url, String(token), '/account/keys/', { name: 'canary' });
  const places: Places = new Map();
  for (let round = 0; round < sizes.rounds; round++) {
    await useAll(url, { admin, user: String(token) }, places);
  }
  for (const words of commands.slice(0, sizes.commands))
    note(places, 'the command line', await run(words, stand, env));
  await server.stop();
  note(places, 'the log', server.logged());
  note(places, 'standard output', server.output());
  for (const text of await dump(stand.database, stand.dataDir))
    note(places, 'what is stored', text);
  const everywhere = [...places.keys()];
  const hits = [
    ...Object.entries({ ...KEYS, secret: SECRET }).flatMap(([what, secret]) =>
      findIn(places, everywhere, what, secret),
    ),
    ...findIn(places, everywhere, 'a password', USER.password),
    ...findIn(places, everywhere, "the admin's password", ADMIN.password),
    ...findIn(places, everywhere, 'an API key', String(key)),
    ...findIn(places, everywhere, 'a token', String(token)),
    ...findIn(places, ['the log', 'metrics', 'standard output'], 'a prompt', PROMPT),
  ];
  const searched = [...places].map(([place, texts]) => [place, texts.join('').length]);
  return {
    figures: { calls: provider.calls.length, bytesSearched: Object.fromEntries(searched) },
    broken: linesOf({ hits }),
  };
}

/** A key is given both as it is, and as the name of a variable. */
function catalogueOf(baseUrl: string): string {
  const of = (key: string) => ({ kind: 'openai', base_url: baseUrl, api_key: key });
  const model = (id: number, provider: string, type: string) => ({
    id,
    provider,
    model: `${type} of ${provider}`,
    type,
    max_input_tokens: 1_000,
    max_output_tokens: 100,
    cost_input_tokens_rub: 1,
    cost_output_tokens_rub: 1,
    is_chat_mode_allowed: 1,
  });
  return JSON.stringify({
    providers: { clear: of(KEYS.clear), environment: of('${CANARY_KEY}') },
    models: [
      model(101, 'clear', 'TEXT'),
      model(102, 'environment', 'TEXT'),
      model(103, 'clear', 'IMAGE'),
      model(104, 'environment', 'IMAGE'),
    ],
  });
}

/** Every error of the provider through every interface, then every route, as an admin and as a user. */
async function useAll(
  url: string,
  { admin, user }: { admin: string; user: string },
  places: Places,
): Promise<void> {
  const roomId = await newRoom(url, user);
  const record = async (place: string, path: string, token: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
    });
    const headers = JSON.stringify([...response.headers]);
    note(places, place, headers + (await response.text()));
  };
  const chat = {
    model: 'clear/TEXT of clear',
    max_tokens: 10,
    messages: [{ role: 'user', content: PROMPT }],
  };
  const all = Array.from({ length: ERRORS }, (_, error) => [
    ...[101, 102, 103, 104].map((ai) => {
      const body = { room_id: roomId, ai, message: PROMPT, max_output_tokens: 10 };
      return record('answers', '/ai/send/', user, { ...body, stream: error % 2 === 0 });
    }),
    record('answers', '/v1/chat/completions', user, { ...chat, stream: error % 2 === 1 }),
    record('answers', '/v1/messages', user, chat),
  ]);
  await Promise.all(all.flat());
  await record('answers', '/ai/history/', user, { room_id: roomId, include_failed: true });
  await record('metrics', '/metrics', admin);
  const known = {
    roomId,
    login: USER.login,
    imageId: 'none',
    keyId: 'none',
    responseId: 'resp_none',
  };
  const routes = routesOf(await documentOf((path) => fetch(url + path)), known);
  for (const route of routes) {
    const { path, body } = route;
    // These end something that the next round needs, or return their own secret.
    if (/logout|refresh|erase|block|password|keys\/create|users\/add/.test(path)) continue;
    if (path === '/account/keys/') continue;
    await record('answers', path, isAdministrative(route) ? admin : user, body);
  }
  const wrong = { yaml: `providers: { clear: { api_key: "${KEYS.clear}", kind: "${KEYS.clear}" }` };
  await record('answers', '/admin/catalogue/apply/', admin, wrong);
  await record('answers', '/account/keys/', user, {});
}

const commands = [
  ['catalogue', 'show'],
  ['catalogue', 'show', '--json'],
  ['user', 'list', '--json'],
  ['user', 'show', USER.login, '--json'],
  ['user', 'export', USER.login],
  ['key', 'list', USER.login, '--json'],
  ['ledger', 'verify', '--json'],
];

/** A command of the operator, on the same data. */
async function run(words: string[], stand: Stand, env: Record<string, string>): Promise<string> {
  const { database, dataDir } = stand;
  const child = Bun.spawn(['sh', join(root, 'bin/zastava'), ...words], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ZASTAVA_DATA_DIR: dataDir,
      ZASTAVA_SECRET: SECRET,
      ...(database.kind === 'postgres' && { ZASTAVA_DATABASE_URL: database.url }),
      ...env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return out + error;
}
