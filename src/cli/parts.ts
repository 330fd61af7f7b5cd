import type { Catalogue } from '../catalogue/index.ts';
import type { AttemptLog, History, Rooms, UsageReport } from '../chat/index.ts';
import type { ImageStore } from '../images/index.ts';
import type { Ledger, Limits, verifyBooks } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import type {
  CrawlOptions,
  CrawlSummary,
  GraphStore,
  SeedLists,
  TrustCheck,
} from '../trust/index.ts';
import type { ApiKeys, Users } from '../users/index.ts';

/** The part of the modules that commands use: the same ones that the HTTP interface drives. */
export interface CliCore {
  attempts: AttemptLog;
  clock: Clock;
  db: Parameters<typeof verifyBooks>[0];
  catalogue: Catalogue;
  history: History;
  images: ImageStore;
  keys: ApiKeys;
  ledger: Ledger;
  limits: Limits;
  rooms: Rooms;
  trust: {
    store: GraphStore;
    check: TrustCheck;
    seeds: SeedLists;
    crawl(options: CrawlAsk): Promise<CrawlSummary>;
  };
  usage: UsageReport;
  users: Users;
  /** Makes this process's secret the database's. @returns where it comes from, and whether the database had another */
  adoptSecret(): Promise<{ where: string; changed: boolean }>;
  close(): Promise<void>;
}

/** What a command says of a crawl; the rest is this installation's. */
export type CrawlAsk = Pick<CrawlOptions, 'seeds' | 'pagesMax' | 'signal' | 'onProgress'>;

/** What a command needs of an installation. */
export interface CommandNeeds {
  /** True for a command that makes sense before there is a database: it makes one instead of refusing. */
  mayBegin: boolean;
  /** True for a command that may encrypt provider keys, for which it needs the server's secret. */
  seals: boolean;
}

/** What a server tells once it serves. */
export interface Served {
  /** The address that it listens on, as a URL without a trailing slash: `http://0.0.0.0:8080` for all addresses. */
  listening: string;
  /** The same, as a client on this machine can use it. */
  url: string;
  /** Only where this start made the first admin; a password that the operator chose is not repeated. */
  firstAdmin: { login: string; password: string | undefined } | undefined;
}

export interface CopiedDatabase {
  /** The whole path of what was written. */
  file: string;
  bytes: number;
  /** Paths of things that a copy of the database does not hold. */
  notIncluded: string[];
}

/** Told while a table is copied: rows, and the time since it was begun. */
export type CopyProgress = (step: {
  name: string;
  done: number;
  total: number;
  seconds: number;
}) => void;

export interface PostgresCopy {
  /** The SQLite database, which stays as it was. */
  file: string;
  tables: { name: string; rows: number }[];
  /** `missing`: those whose file is not there. */
  images: { copied: number; missing: number };
}

/** What the command line is made of; the process entry hands it in. */
export interface CliParts {
  version: string;
  terminal: Terminal;
  /** What is set in the environment and has no effect, a line each. */
  settingWarnings(): readonly string[];
  /** What an error of the system means for the operator; the error itself where there is no more to say. */
  explain(error: unknown): Promise<unknown>;
  /** Opens the database, which works while a server uses it, and while none does. */
  openCore(needs: CommandNeeds): Promise<CliCore>;
  /** Serves until the process is asked to stop. */
  serve(onReady: (served: Served) => Promise<void>): Promise<void>;
  /** Runs long work, whose signal is aborted when the process is asked to stop. */
  untilAsked<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  backup(file: string): Promise<CopiedDatabase>;
  restore(file: string): Promise<CopiedDatabase>;
  copyToPostgres(onProgress: CopyProgress): Promise<PostgresCopy>;
}

/** The three standard streams. */
export interface Terminal {
  /** True when a person can be asked: standard input and standard error are a terminal. */
  readonly interactive: boolean;
  /** True when data is written to where nobody can read it, which no error tells. */
  readonly discards?: boolean;
  /** Data, to standard output. Resolves when it was taken, so that memory does not grow. */
  write(text: string): Promise<void>;
  /** Talk, to standard error. */
  tell(text: string): Promise<void>;
  /** Asks for a line. */
  ask(question: string): Promise<string>;
  /** Standard input to its end. @throws `invalid_request` when it is longer, or no UTF-8 */
  readAll(maxBytes: number): Promise<string>;
}
