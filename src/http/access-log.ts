import { appendLine, isoTime, type Log } from '../lib/log.ts';
import { toRubles } from '../lib/money.ts';
import type { RequestFacts } from './request-facts.ts';

/** Paths that machines call every few seconds. */
const UNLOGGED: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Writes one line for each request, at the level `info`: who asked for what, how it ended, and what it cost. Never a
 * text, a name or a raw path. The line is composed here, since the logger would take five times as long
 * (docs/speed.md).
 */
export class AccessLog {
  readonly #log: Log;
  readonly #isOn: boolean;

  constructor(log: Log, isOn: boolean) {
    this.#log = log;
    this.#isOn = isOn && log.isLevelEnabled('info');
  }

  /**
   * Logs a request with its status, and ends its trace, once its answer is complete.
   * @param startedAt by `performance.now()`
   */
  answered(facts: RequestFacts, status: number, startedAt: number): void {
    const isLogged = this.#isOn && !UNLOGGED.has(facts.route);
    if (!isLogged && facts.spans === undefined) return;
    facts.whenOver(() => {
      if (isLogged) appendLine(this.#log, lineOf(facts, status, startedAt));
      facts.spans?.end(facts, status);
    });
  }
}

/**
 * Only login and address are escaped. The other texts are our own, or of a form that needs no escapes: methods are
 * tokens, and request ids match their pattern.
 */
function lineOf(facts: RequestFacts, status: number, startedAt: number): string {
  const { method, route, requestId, userId, modelId, messageId, charged } = facts;
  const { providerMs, outcome, loweredCap, refusedLogin } = facts;
  const ms = Math.round((performance.now() - startedAt) * 10) / 10;
  let line = `{"level":30,"time":"${isoTime()}","method":"${method}","route":${route === undefined ? 'null' : `"${route}"`},"status":${status},"ms":${ms}`;
  if (providerMs !== undefined) line += `,"provider_ms":${providerMs}`;
  if (outcome !== undefined) line += `,"outcome":"${outcome}"`;
  if (userId !== undefined) line += `,"user":${userId}`;
  if (modelId !== undefined) line += `,"model":${modelId}`;
  if (messageId !== undefined) line += `,"message":${messageId}`;
  if (charged !== undefined) line += `,"cost":${toRubles(charged)}`;
  if (loweredCap !== undefined)
    line += `,"output_asked":${loweredCap.requested},"output_allowed":${loweredCap.allowed}`;
  if (refusedLogin !== undefined) {
    const { login, address } = refusedLogin;
    line += `,"login":${JSON.stringify(login)},"address":${JSON.stringify(address)}`;
  }
  return `${line},"request_id":"${requestId}","msg":"request"}\n`;
}
