import { DomainError } from '../../../../lib/errors.ts';
import type { Authenticator } from '../../../../users/index.ts';
import { authenticate } from '../../../compatible/call.ts';
import { type Connection, type HttpContext, noteCaller } from '../../../request-facts.ts';
import type { BodyBudget } from '../../../body/budget.ts';
import type { BodyReader } from '../../../body/read.ts';
import { MessageTurns } from './message-turns.ts';
import { ResponsesSocket } from './socket.ts';

/** The most connections of one user on this node. */
const SOCKETS_OF_USER_MAX = 16;
/** The longest life of a connection, as OpenAI's: a stolen connection does not last. */
const LIFE_MAX_MS = 60 * 60_000;
const RETRY_AFTER_S = 60;

/** Headers of the handshake that each request of the connection gets as well. */
const KEPT_HEADERS = [
  'authorization',
  'host',
  'user-agent',
  'x-api-key',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'x-room-id',
];

/** Answers a request as the gateway does. */
export type Post = (request: Request, connection: Connection) => Promise<Response>;

interface OfUser {
  sockets: Set<ResponsesSocket>;
  turns: MessageTurns;
}

interface OpenParts {
  authenticator: Authenticator;
  bodies: BodyReader;
  post: Post;
}

/** The connections of this node in WebSocket mode. */
export class OpenSockets {
  readonly #now: () => number;
  readonly #budget: BodyBudget;
  readonly #open = new Map<number, OfUser>();
  #isStopping = false;

  /** @param now in milliseconds @param budget counts waiting messages among the bodies */
  constructor(now: () => number, budget: BodyBudget) {
    this.#now = now;
    this.#budget = budget;
  }

  /** Answers the handshake. @throws `rate_limited`, and errors of the credential such as `unauthenticated` */
  async upgrade(
    { req, env }: HttpContext,
    { authenticator, bodies, post }: OpenParts,
  ): Promise<Response> {
    const { raw: request } = req;
    const caller = await authenticate(authenticator, request);
    noteCaller(env, caller);
    const { userId } = caller;
    this.#checkRoom(userId);
    const { turns } = this.#ofUser(userId);
    const { peer: address, address: sender } = env;
    const connection = { requestIP: () => ({ address }), timeout: () => undefined };
    const headers = new Headers({ 'content-type': 'application/json' });
    for (const name of KEPT_HEADERS) {
      const value = request.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    const url = new URL('/v1/responses', request.url).href;
    const end = setTimeout(() => socket.stop(), LIFE_MAX_MS);
    end.unref();
    const socket: ResponsesSocket = new ResponsesSocket({
      post: (body, signal) => {
        const length = String(Buffer.byteLength(body));
        const posted = new Request(url, { method: 'POST', headers, body, signal });
        posted.headers.set('content-length', length);
        return post(posted, connection);
      },
      authenticate: () => authenticate(authenticator, request),
      reserve: () => this.#budget.reserve(userId, sender),
      turn: (units, work) => turns.run(units, work),
      read: (message) => bodies.readEvent(message, userId, this.#now()),
      onClosed: () => {
        clearTimeout(end);
        this.#remove(userId, socket);
      },
    });
    this.#ofUser(userId).sockets.add(socket);
    if (this.#isStopping) socket.stop();
    if (env.upgrade(socket)) return new Response(null, { status: 101 });
    socket.closed();
    throw new DomainError('invalid_request', 'the WebSocket handshake is not valid (RFC 6455)');
  }

  /** Closes all connections, each after its running response. */
  stop(): void {
    this.#isStopping = true;
    for (const { sockets } of this.#open.values()) for (const socket of sockets) socket.stop();
  }

  #checkRoom(userId: number): void {
    if ((this.#open.get(userId)?.sockets.size ?? 0) < SOCKETS_OF_USER_MAX) return;
    throw new DomainError(
      'rate_limited',
      `you have ${SOCKETS_OF_USER_MAX} open WebSocket connections, which is the most: close some first`,
      { retryAfterSeconds: RETRY_AFTER_S },
    );
  }

  #ofUser(userId: number): OfUser {
    const known = this.#open.get(userId);
    if (known) return known;
    const added = { sockets: new Set<ResponsesSocket>(), turns: new MessageTurns() };
    this.#open.set(userId, added);
    return added;
  }

  #remove(userId: number, socket: ResponsesSocket): void {
    const open = this.#open.get(userId);
    open?.sockets.delete(socket);
    if (open?.sockets.size === 0) this.#open.delete(userId);
  }
}

export function isHandshake(request: Request): boolean {
  return request.method === 'GET' && request.headers.get('upgrade')?.toLowerCase() === 'websocket';
}
