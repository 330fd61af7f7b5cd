/** The port of a server, and its address. */
import {
  lastResort,
  refuseAmbiguousTargets,
  socketHandler,
  type App,
  type SocketEvents,
} from './app.ts';
import { ConfigError, type Config } from './config/index.ts';
import type { Core } from './core.ts';
import { ALL_ADDRESSES } from './lib/listening-url.ts';
import type { Siblings } from './workers/index.ts';

/** How long a connection may be idle. It does not count as idle while a slow operation runs. */
const IDLE_TIMEOUT_S = 60;
/** Higher than all limits of the gateway, so that a body that is too large gets the gateway's own error. */
const BODY_MAX_BYTES = 40 * 1024 * 1024;

/** The current request handler. The first one refuses requests, since the port opens before the modules are ready. */
export interface PortHandler {
  answer: App['fetch'];
  log: Core['log'] | undefined;
}

/**
 * Opens the port of a starting server. A shared port is first tried alone: the system would also let another server
 * share it.
 */
export async function openPort(
  config: Config,
  handler: PortHandler,
  siblings: Siblings | undefined,
) {
  if (siblings === undefined) return listen(config, handler, false);
  if (config.port > 0) await (await listen(config, handler, false)).stop(true);
  return listen(config, handler, true);
}

/** @throws ConfigError if the server can't listen on this address */
export async function listen(
  { host, port }: Pick<Config, 'host' | 'port'>,
  handler: PortHandler,
  reusePort: boolean,
): Promise<Bun.Server<SocketEvents>> {
  try {
    return Bun.serve<SocketEvents>({
      hostname: host,
      port,
      idleTimeout: IDLE_TIMEOUT_S,
      maxRequestBodySize: BODY_MAX_BYTES,
      // The runtime's own error page would show the sources and the working directory.
      development: false,
      // With `development: false` the runtime would share a port with another server.
      reusePort,
      ...refuseAmbiguousTargets((request, connection) => handler.answer(request, connection)),
      websocket: socketHandler,
      error: (error) => {
        handler.log?.error({ err: error }, 'request failed');
        return lastResort();
      },
    });
  } catch (error) {
    throw new ConfigError(await listenProblem(error, host, port));
  }
}

async function listenProblem(error: unknown, host: string, port: number): Promise<string> {
  // For a host that does not resolve, the runtime reports the code of whatever error came before.
  switch ((await resolves(host)) && (error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `ZASTAVA_PORT: port ${port} of ${host} is taken: stop what listens there, or set another port`;
    case 'EACCES':
      return `ZASTAVA_PORT: port ${port} of ${host} may not be used by this user: set another port`;
    default:
      return `ZASTAVA_HOST: can't listen on ${host}: it must be an address of this machine`;
  }
}

async function resolves(host: string): Promise<boolean> {
  if (host === ALL_ADDRESSES) return true;
  try {
    return (await Bun.dns.lookup(host)).length > 0;
  } catch {
    return false;
  }
}
