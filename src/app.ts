import packageFile from '../package.json' with { type: 'json' };
import {
  modelsWithinLimits,
  DatabaseHealth,
  estimateSend,
  InFlight,
  NodeLease,
  OncePerKey,
  reconcile,
  Recovery,
  SendCommit,
  Sender,
  HiddenReasoning,
  UserList,
  modelsForUser,
  readStatus,
  type ReconcileOptions,
  type SendInput,
} from './chat/index.ts';
import { jobSocketOfFirst, jobsOfFirst, metricsOfAll } from './among-workers.ts';
import { startChores } from './chores.ts';
import type { CatalogueModel } from './catalogue/index.ts';
import { ownProgram, packagesFolder } from './config/index.ts';
import type { Core } from './core.ts';
import {
  AccessLog,
  BodyBudget,
  BodyReader,
  BodyThread,
  ClientAddress,
  createHandler,
  Drain,
  Metrics,
  Networks,
  OpenSockets,
  OpenStreams,
  ReadLimits,
  type Handler,
} from './http/index.ts';
import { lostLogLines } from './lib/log.ts';
import type { Traces } from './lib/spans.ts';
import { endsWithin } from './lib/within.ts';
import { verifyBooks } from './ledger/index.ts';
import {
  createProvider,
  obeyProxyVariables,
  ProviderPool,
  RecentCalls,
} from './providers/index.ts';
import { openTraces } from './traces/index.ts';
import { TrustJobs } from './trust/index.ts';
import type { Siblings } from './workers/index.ts';

export {
  lastResort,
  refuseAmbiguousTargets,
  socketHandler,
  startingHandler,
  type SocketEvents,
} from './http/index.ts';

/** How long voiding holds may take after the time for draining: the database may not answer. */
const STOP_GRACE_MS = 5_000;

const LEFT_BEHIND =
  'the database does not answer, so the stop goes on without it: the next start or another node voids open holds';

/** A running gateway without a port: the server passes requests to `fetch`, and tests call it directly. */
export interface App {
  fetch: Handler;
  /** From now on, each connection ends with its next answer, so that clients go to other servers. */
  leave(): void;
  /**
   * Refuses new requests, lets running ones end, and voids the rest. The core stays open.
   * @returns false if the database did not answer: the next start or another node closes what is open
   */
  stop(drainMs: number): Promise<boolean>;
}

/** For tests. */
export interface AppOptions {
  /** How long a provider's stream may wait for a client that reads nothing, in milliseconds. */
  readerWaitMs?: number;
  /** Those of other gateways in this process; its own by default. */
  bodyThreads?: Record<'quick' | 'thread', BodyThread>;
}

export interface AppParts extends AppOptions {
  siblings?: Siblings | undefined;
}

export async function createApp(core: Core, options: AppParts = {}): Promise<App> {
  const { readerWaitMs, siblings, bodyThreads } = options;
  const { config, clock, log, db, catalogue, images, users } = core;
  warnOfCatalogue(core);
  const metrics = new Metrics(siblings?.number);
  const inFlight = new InFlight();
  const health = new DatabaseHealth({ db, clock, log });
  const commit = new SendCommit(db, clock, (size) => metrics.observeBatch(size));
  const recovery = new Recovery({ db, clock, commit, inFlight });
  const lease = await NodeLease.start({ db, clock, log, recovery, dataDir: config.dataDir });
  obeyProxyVariables(config.env);
  const packages = packagesFolder();
  const providers = new ProviderPool({ clock, create: (setup) => createProvider(setup, packages) });
  providers.onCall((call) => metrics.observeProviderCall(call));
  const traces = await openTraces(config.traces, { version: packageFile.version, clock, log });
  const status = statusReader(core, providers, lease);
  const isAdmin = (userId: number) => users.isAdmin(userId);
  const hiddenReasoning = new HiddenReasoning(catalogue);
  const sender = new Sender({
    db,
    catalogue,
    providers,
    images,
    clock,
    log,
    commit,
    inFlight,
    isAdmin,
    hiddenReasoning,
    readerWaitMs,
    storedBytesMax: config.userStoredMib * 2 ** 20,
    nodeId: () => lease.id,
    onSettled: (event) => metrics.observeSend(event),
  });
  core.trust.onFetch(({ outcome }) => metrics.observeFetch(outcome));
  const drain = new Drain();
  const trustJobs = jobsOf(core);
  const closeJobs = await jobSocketOfFirst(siblings, config.dataDir, trustJobs, log);
  watch(metrics, core, { inFlight, commit, health, trustJobs, traces });
  const budget = new BodyBudget(config.bodyBudgetMib * 2 ** 20);
  const parts = {
    ...core,
    bodies: bodyReader(budget, bodyThreads),
    streams: new OpenStreams(config.userStreamsMax, clock),
    trust: core.trust.check,
    sender,
    estimate: (userId: number, send: SendInput) =>
      estimateSend({ ...core, isAdmin, hiddenReasoning }, userId, send),
    once: new OncePerKey(db, clock),
    userList: new UserList(core),
    verifyBooks: () => verifyBooks(db),
    status,
    reconcile: (pieces: AsyncIterable<string>, terms: ReconcileOptions) =>
      reconcile(core, pieces, terms),
    seeds: core.trust.seeds,
    releases: core.trust.store,
    trustJobs: jobsOfFirst(trustJobs, siblings),
    modelsForUser: (userId: number, isMeant: (model: CatalogueModel) => boolean) =>
      modelsForUser({ catalogue, isAdmin }, userId, isMeant),
    modelsWithinLimits: (userId: number, keyId: string | undefined) =>
      modelsWithinLimits({ ...core, isAdmin }, userId, keyId),
  };
  const sockets = new OpenSockets(() => clock.now(), budget);
  const handler = createHandler({
    ...parts,
    metrics,
    metricsText: metricsOfAll(metrics, siblings),
    drain,
    sockets,
    access: new AccessLog(log, config.accessLog === 'on'),
    traces,
    reads: new ReadLimits(clock),
    ...accessOf(config),
    health: { trouble: async () => (drain.stopping ? 'stopping' : health.trouble()) },
  });
  const chores = startChores(core, parts);
  const stoppable = { drain, sockets, chores, health, trustJobs, sender, lease, inFlight, commit };
  const stop = (drainMs: number) => stopApp(core, { ...stoppable, traces, closeJobs }, drainMs);
  return { fetch: handler, leave: () => drain.leave(), stop };
}

function jobsOf({ config, clock, log }: Core): TrustJobs {
  const env = { ...config.env, ZASTAVA_DATA_DIR: config.dataDir };
  return new TrustJobs({ clock, log, program: ownProgram(), env });
}

function bodyReader(
  budget: BodyBudget,
  { quick, thread } = { quick: new BodyThread(), thread: new BodyThread() },
): BodyReader {
  return new BodyReader({ budget, quick, thread });
}

/** Which callers the settings allow to call what. */
function accessOf(config: Core['config']) {
  const { trustedProxies, adminNetworks, corsOrigins, publicUrl, sessionMaxSeconds } = config;
  return {
    clientAddress: new ClientAddress(trustedProxies),
    adminNetworks: adminNetworks.length > 0 ? new Networks(adminNetworks) : undefined,
    corsOrigins,
    publicUrl,
    legacyCharset: legacyCharsetOf(config),
    hasPage: config.web === 'on',
    secureCookies: publicUrl?.startsWith('https:') ?? false,
    sessionMaxSeconds,
  };
}

/** Undefined if the operator switched the cookie interface off. */
export function legacyCharsetOf({ legacy, legacyCharset }: Core['config']) {
  return legacy === 'on' ? legacyCharset : undefined;
}

interface Stoppable {
  drain: Drain;
  sockets: OpenSockets;
  chores: { stop: () => void };
  health: DatabaseHealth;
  trustJobs: TrustJobs;
  sender: Sender;
  lease: NodeLease;
  inFlight: InFlight;
  commit: SendCommit;
  traces: Traces | undefined;
  closeJobs: (() => Promise<void>) | undefined;
}

/** Stops the parts in the order of their dependencies. See `App.stop`. */
async function stopApp(
  { clock, log, security }: Core,
  parts: Stoppable,
  drainMs: number,
): Promise<boolean> {
  const { drain, sockets, chores, health, trustJobs, sender, lease, inFlight, commit } = parts;
  const deadline = clock.monotonic() + drainMs;
  drain.stop();
  sockets.stop();
  chores.stop();
  const jobsEnd = trustJobs.close();
  // Accepted requests may still send, so sends are refused only after those requests are answered.
  await drain.idle(drainMs);
  const left = Math.max(0, deadline - clock.monotonic());
  const end = sender.stop(left).then(() => lease.stop());
  end.catch(() => undefined);
  await endsWithin(inFlight.idle(), left);
  const isEnded = await endsWithin(end, STOP_GRACE_MS);
  if (!isEnded) log.error({ sends: inFlight.size, writes: commit.queued }, LEFT_BEHIND);
  await jobsEnd;
  await parts.closeJobs?.();
  health.stop();
  security.flush(true);
  await parts.traces?.close();
  return isEnded;
}

/** Warns of problems that do not prevent a start. */
function warnOfCatalogue({ catalogue, log }: Core): void {
  const { unreadable: providers, sharedNames: names } = catalogue.problems;
  // Their keys were encrypted with a different secret: calls to these providers fail.
  if (providers.length > 0) {
    log.warn({ providers }, 'provider keys can not be read: apply the catalogue again');
  }
  // A name means the first of its models, and each model can be called by its id.
  const advice = 'several models have one name under /v1: give each a model_alias of its own';
  if (names.length > 0) log.warn({ names }, advice);
}

/** The content of `/admin/status/`. Calls are counted from now on. */
function statusReader(core: Core, providers: ProviderPool, lease: NodeLease) {
  const startedAt = core.clock.now();
  const calls = new RecentCalls(core.clock);
  providers.onCall((call) => calls.observe(call));
  return () =>
    readStatus(core, packageFile.version, {
      node: lease.id,
      startedAt,
      breakerOf: (provider) => providers.breakerOf(provider),
      recentUseOf: (provider) => calls.of(provider),
    });
}

/** Registers the values that the metrics read. */
function watch(
  metrics: Metrics,
  { trust, clock }: Core,
  parts: Pick<Stoppable, 'inFlight' | 'commit' | 'health' | 'trustJobs' | 'traces'>,
): void {
  const { inFlight, commit, health, trustJobs, traces } = parts;
  metrics.watch({
    holdsOpen: () => inFlight.size,
    commitQueue: () => commit.queued,
    databaseUp: () => (health.isOut ? 0 : 1),
    logLinesLost: lostLogLines,
    spansLost: () => traces?.lost ?? 0,
    fetchesRunning: () => trust.check.pagesReading,
    jobSeconds: () => trustJobs.runningSeconds,
    releaseAgeSeconds: () => {
      const { rankedAt } = trust.check;
      return rankedAt === undefined ? undefined : (clock.now() - Date.parse(rankedAt)) / 1000;
    },
  });
}
