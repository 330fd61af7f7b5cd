import { createApp, legacyCharsetOf, startingHandler, type App, type SocketEvents } from './app.ts';
import { booksLeftBehind, certificatesProblem, SettingError, type Config } from './config/index.ts';
import type { Core } from './core.ts';
import { DomainError, messageOf } from './lib/errors.ts';
import { randomPassword } from './lib/ids.ts';
import { reachableUrl, urlOf } from './lib/listening-url.ts';
import { parseRubles } from './lib/money.ts';
import { endsWithin } from './lib/within.ts';
import { listen, openPort, type PortHandler } from './listen.ts';
import { OllamaFinder } from './ollama.ts';
import type { Announced, Siblings } from './workers/index.ts';

/** The opening balance of the first admin. */
const FIRST_ADMIN_RUBLES = 1000;
/** How long the last answers may take after the time for draining. */
const LAST_ANSWERS_MS = 500;
const CLOSE_MAX_MS = 3_000;
/** For how long a leaving worker answers requests of open connections. */
const LEAVE_MS = 2_000;
/** For how long requests that crossed with the stop are still read and refused with an answer. */
const LAST_REQUESTS_MS = 50;

export interface Server extends Announced {
  /** Closes the port to new connections immediately. */
  refuseConnections(): void;
  /**
   * Moves clients to the other servers on this port: for 2 s, each connection ends with its next answer; then the port
   * closes. Running requests continue; `stop` waits for them.
   */
  leave(): Promise<void>;
  /**
   * Refuses new requests, waits for running ones for the time for draining, and closes the core.
   * @returns false if the database did not answer; then the end of the process closes the rest
   */
  stop(): Promise<boolean>;
}

export interface StartSteps {
  /** Opens the modules; called when the port is open. */
  open(): Promise<Core>;
  /** Called before the first admin is created. From then on the start must not be aborted: it will print a password. */
  onFirstAdmin(): void;
  /** Undefined if this process serves alone. */
  sharing?: Sharing | undefined;
}

/** How this process shares its port with others. */
export interface Sharing {
  siblings: Siblings;
  /** The port on which others already serve; undefined for the process that starts first. */
  joins: number | undefined;
}

/**
 * Serves until `stop`. All checks come before the first change: a start fails without changing anything if its port is
 * taken, its data directory is in use or its catalogue is refused.
 * @throws ConfigError, or the error of `open` or the catalogue; then everything is closed again
 */
export async function serve(config: Config, steps: StartSteps): Promise<Server> {
  await using opened = new AsyncDisposableStack();
  const { siblings, joins } = steps.sharing ?? {};
  const starting = startingHandler(legacyCharsetOf(config), config.corsOrigins);
  const handler: PortHandler = { answer: starting, log: undefined };
  // If others already serve, this process accepts connections once it can serve them.
  const early = joins === undefined ? await openPort(config, handler, siblings) : undefined;
  opened.defer(() => early?.stop(true));
  const core = await steps.open();
  opened.defer(() => core.close());
  handler.log = core.log;
  const port = joins ?? early?.port ?? config.port;
  const url = reachableUrl(config.host, port);
  core.listening.url = url;
  const untrusted = await certificatesProblem(config);
  if (untrusted !== undefined) core.log.warn(untrusted);
  const ready = await createApp(core, { siblings });
  opened.defer(async () => void (await ready.stop(0)));
  if (joins === undefined) await applyCatalogueFile(core);
  refuseUnusable(core);
  const firstAdmin = await makeFirstAdmin(core, steps);
  const leftBehind = firstAdmin && (await booksLeftBehind(config));
  if (leftBehind !== undefined) core.log.warn(leftBehind);
  const ollama = await findOllama(core);
  handler.answer = ready.fetch;
  const server = early ?? (await listen({ host: config.host, port }, handler, true));
  opened.move();
  return {
    listening: urlOf(config.host, port),
    url,
    pageUrl: config.web === 'on' ? `${url}/app/` : undefined,
    firstAdmin,
    refuseConnections: () => void server.stop(),
    leave: () => leave(ready, server),
    stop: () => stop(core, ready, server, ollama),
  };
}

/** If Ollama answers at once, its models are available when the server is. */
async function findOllama({ config, catalogue, log }: Core): Promise<OllamaFinder | undefined> {
  const { ollama: settings } = config;
  const finder = settings && new OllamaFinder({ settings, catalogue, log });
  await finder?.start();
  return finder;
}

/**
 * Clients that send a request get `Connection: close` with the answer. Closing the port then closes idle connections.
 */
async function leave(app: App, server: Bun.Server<SocketEvents>): Promise<void> {
  app.leave();
  await Bun.sleep(LEAVE_MS);
  void server.stop();
  await Bun.sleep(LAST_REQUESTS_MS);
}

async function stop(
  core: Core,
  app: App,
  server: Bun.Server<SocketEvents>,
  ollama: OllamaFinder | undefined,
): Promise<boolean> {
  const { clock, config } = core;
  const drainMs = config.drainSeconds * 1000;
  const deadline = clock.monotonic() + drainMs;
  const looked = ollama?.stop();
  // The port stays open until the last send has ended, so that /readyz can report the stop.
  const isEnded = await app.stop(drainMs);
  await Bun.sleep(LAST_REQUESTS_MS);
  await endsWithin(server.stop(), Math.max(LAST_ANSWERS_MS, deadline - clock.monotonic()));
  await endsWithin(server.stop(true), LAST_ANSWERS_MS);
  // Closing waits for queries.
  if (!isEnded) return false;
  const closed = Promise.resolve(looked).then(() => core.close());
  return endsWithin(closed, CLOSE_MAX_MS);
}

/**
 * Applies the file of ZASTAVA_CATALOGUE, if there is one.
 * @throws SettingError when it can't be read, or refers to a variable that is not set
 */
async function applyCatalogueFile({ config, catalogue, log, audit }: Core): Promise<void> {
  const { catalogueFile: file } = config;
  if (file === undefined) return;
  const read = await catalogue.read(await readCatalogueFile(file));
  refuseUnset(catalogue.unsetIn(read));
  for (const warning of read.warnings) log.warn({ file }, warning);
  const act = audit.act('catalogue_applied', { origin: 'server' });
  const changes = await catalogue.apply(read, { act });
  log.info({ file, changes: changes.length }, 'catalogue applied');
}

/** @throws SettingError if anything in use refers to a variable that is not set, or that contains no valid key */
function refuseUnusable({ catalogue }: Core): void {
  refuseUnset(catalogue.problems.unresolved);
  const unusable = catalogue.problems.unusable.join(', ');
  if (unusable === '') return;
  throw new SettingError(
    `${unusable}: a provider's key must be one line of printable ASCII: correct it in the environment`,
  );
}

async function readCatalogueFile(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await Bun.file(file).bytes());
  } catch (error) {
    throw new SettingError(`ZASTAVA_CATALOGUE: ${file} can't be read: ${messageOf(error)}`);
  }
}

function refuseUnset(names: readonly string[]): void {
  if (names.length === 0) return;
  throw new SettingError(
    `the catalogue refers to ${names.join(', ')}: set it in the environment, or apply a catalogue without it`,
  );
}

/** If several nodes start together on an empty database, only one of them creates the first admin. */
async function makeFirstAdmin(core: Core, steps: StartSteps): Promise<Announced['firstAdmin']> {
  const { users, ledger, config, log, audit } = core;
  if (await users.hasAdmin()) return undefined;
  steps.onFirstAdmin();
  const { adminLogin: login, adminPassword: given } = config;
  const password = given ?? randomPassword();
  const credit = parseRubles(FIRST_ADMIN_RUBLES) ?? 0;
  try {
    await users.add({ login, password, role: 'admin' }, async (tx, userId) => {
      // Users are added one at a time, so the admin of a faster node is visible here.
      if (await users.hasAdmin(userId, tx)) throw new OtherNodeFirst();
      await ledger.openAccount(tx, userId, credit, 'first start');
      const after = { role: 'admin', balance: FIRST_ADMIN_RUBLES };
      await audit.act('user_added', { origin: 'server' }).record(tx, { userId, after });
    });
  } catch (error) {
    if (error instanceof OtherNodeFirst || (await users.hasAdmin())) return undefined;
    if (await users.credentials(login)) {
      log.warn(
        { login },
        'there is no admin, and this login is a user: zastava user add LOGIN --admin',
      );
      return undefined;
    }
    throw asSettingError(error);
  }
  return { login, password: given === undefined ? password : undefined };
}

class OtherNodeFirst extends Error {}

/** If the login or the password can't be used, the setting is wrong. */
function asSettingError(error: unknown): unknown {
  const detail = error instanceof DomainError ? error.details[0] : undefined;
  if (detail?.path !== 'login' && detail?.path !== 'password') return error;
  return new SettingError(`ZASTAVA_ADMIN_${detail.path.toUpperCase()}: ${detail.message}`);
}
