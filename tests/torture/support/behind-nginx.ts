import { freePort } from './free-port.ts';
import { startNginx, type Nginx } from './nginx.ts';
import type { ServerProcess } from './server-process.ts';
import type { Stand } from './stand.ts';

export interface BehindNginx extends Nginx {
  nodes: ServerProcess[];
  /** Starts a node once more, where nginx expects it. */
  startAgain: (node: number) => Promise<void>;
}

/** Starts this many nodes of a stand, each on a fixed port, and nginx in front of them. */
export async function startBehindNginx(stand: Stand, count: number): Promise<BehindNginx> {
  const ports = Array.from({ length: count }, freePort);
  const start = (node: number): Promise<ServerProcess> =>
    stand.start(node, { env: { ZASTAVA_PORT: String(ports[node]) } });
  const nodes: ServerProcess[] = [];
  for (let node = 0; node < count; node++) nodes.push(await start(node));
  const nginx = await startNginx(ports);
  return {
    ...nginx,
    nodes,
    startAgain: async (node) => {
      nodes[node] = await start(node);
    },
  };
}
