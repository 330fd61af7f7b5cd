/** The messages between the processes of one server. */

/** What a server prints once it serves. */
export interface Announced {
  /** The listening address as a URL without a trailing slash: `http://0.0.0.0:8080` for all addresses. */
  listening: string;
  /** A URL for clients on this machine: `http://127.0.0.1:8080`. */
  url: string;
  /** The web page; undefined if it is switched off. */
  pageUrl: string | undefined;
  /** Only if this start created the first admin. */
  firstAdmin: FirstAdmin | undefined;
}

interface FirstAdmin {
  login: string;
  /** Undefined if the operator chose it. */
  password: string | undefined;
}

/** Who answers: `all` workers, or only the `first`, which has what a server needs once. */
export type Whom = 'all' | 'first';

export type Reply =
  | { value: unknown }
  | { error: { code: string; message: string; retryAfterSeconds: number | undefined } };

/** From a worker to its parent. */
export type FromWorker =
  | { kind: 'serving'; announced: Announced }
  | { kind: 'ask'; id: number; whom: Whom; what: string; about: unknown }
  | { kind: 'reply'; id: number; reply: Reply };

/** From the parent to a worker. */
export type FromParent =
  | { kind: 'stop' }
  /** Stop, while the other workers continue to serve: first move the clients to them. */
  | { kind: 'leave' }
  | { kind: 'ask'; id: number; what: string; about: unknown }
  | { kind: 'replies'; id: number; replies: Reply[] };
