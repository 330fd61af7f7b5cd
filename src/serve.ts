import type { Core } from './core.ts';
import { createApp } from './app.ts';
import { parseRubles } from './lib/money.ts';
import { randomPassword } from './lib/ids.ts';

/** What the first admin of a new installation starts with. */
const FIRST_ADMIN_RUBLES = 1000;
/** A silent connection is closed after so long; slow operations are exempt while they run. */
const IDLE_TIMEOUT_S = 60;
/** Above every limit of ours, so that a body over them is refused in our own words. */
const BODY_MAX_BYTES = 40 * 1024 * 1024;

export interface Server {
  url: string;
  stop(): Promise<void>;
}

/**
 * Serves until `stop`. The first start on an empty database makes the first admin.
 * @param print writes a line for the operator to standard output
 */
export async function serve(core: Core, print: (line: string) => void): Promise<Server> {
  const { config, catalogue, log, listening } = core;
  if (config.catalogueFile !== undefined) {
    const changes = await catalogue.apply(await Bun.file(config.catalogueFile).text());
    log.info({ file: config.catalogueFile, changes: changes.length }, 'catalogue applied');
  }
  const password = await makeFirstAdmin(core);
  const app = await createApp(core);
  const server = Bun.serve({
    hostname: config.host,
    port: config.port,
    idleTimeout: IDLE_TIMEOUT_S,
    maxRequestBodySize: BODY_MAX_BYTES,
    fetch: (request, connection) => app.fetch(request, connection),
  });
  listening.url = urlOf(config.host, server.port ?? config.port);
  if (password !== undefined) printFirstAdmin(core, password, print);
  print(`listening on ${listening.url}`);
  return {
    url: listening.url,
    async stop() {
      // New connections are refused at once; the open ones are answered until the sends are done.
      const stopped = server.stop();
      await app.stop(config.drainSeconds * 1000);
      await Promise.race([stopped, Bun.sleep(LAST_ANSWERS_MS)]);
      await server.stop(true);
      await core.close();
    },
  };
}

/** How long the last answers may take to be written once every send has ended. */
const LAST_ANSWERS_MS = 500;

/** @returns the generated password; undefined when there are users already, or one was given */
async function makeFirstAdmin(core: Core): Promise<string | undefined> {
  const { users, ledger, config } = core;
  if ((await users.count()) > 0) return undefined;
  const { login, password: given } = config.firstAdmin;
  const password = given ?? randomPassword();
  const credit = parseRubles(FIRST_ADMIN_RUBLES) ?? 0;
  await users.add({ login, password, isAdmin: true }, (tx, userId) =>
    ledger.openAccount(tx, userId, credit, 'first start'),
  );
  return given === undefined ? password : undefined;
}

function printFirstAdmin(
  { config, listening }: Core,
  password: string,
  print: (line: string) => void,
): void {
  const { login } = config.firstAdmin;
  const body = JSON.stringify({ login, password });
  print(`first admin: login ${login}, password ${password} (shown only now)`);
  print(
    `try: curl -s ${listening.url}/auth/login/ -H 'Content-Type: application/json' -d '${body}'`,
  );
}

/** An address that a client on this machine can use, also when we listen on all of them. */
function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
