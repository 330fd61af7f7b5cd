import type { Log } from '../lib/log.ts';
import type { Traces } from '../lib/spans.ts';
import type { AccessLog } from './access-log.ts';
import type { ClientAddress } from './client-address.ts';
import type { Drain } from './drain.ts';
import type { Health } from './health.ts';
import type { LegacyParts } from './legacy/login.ts';
import type { LegacyCharset } from './legacy/text.ts';
import type { Metrics } from './metrics.ts';
import type { OpenSockets } from './openai/responses/socket/open-sockets.ts';
import type { OperationParts } from './operation-parts.ts';
import type { Connection } from './request-facts.ts';
import type { OperationGate } from './run-operation.ts';

export interface HttpParts
  extends OperationParts, OperationGate, Omit<LegacyParts, 'legacyCharset'> {
  /** Undefined without the legacy interface. */
  legacyCharset: LegacyCharset | undefined;
  clientAddress: ClientAddress;
  hasPage: boolean;
  corsOrigins: string[];
  publicUrl: string | undefined;
  drain: Drain;
  sockets: OpenSockets;
  health: Health;
  metrics: Metrics;
  metricsText: () => Promise<string>;
  access: AccessLog;
  /** Undefined if they are off. */
  traces: Traces | undefined;
  log: Log;
}

/** Answers a request. The answer to HEAD has the body of GET, which Bun leaves out. */
export type Handler = (request: Request, connection?: Connection) => Promise<Response>;
