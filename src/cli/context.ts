import { dirname } from 'node:path';
import type { Command } from 'commander';
import {
  exitWithParent,
  programFolder,
  readConfig,
  requireInstallation,
  sqliteBooks,
  systemUser,
  type Config,
  type Environment,
} from '../config/index.ts';
import type { Act, AuditAction } from '../audit/index.ts';
import type { Core } from '../core.ts';
import { DomainError, type DatabaseUnavailableError } from '../lib/errors.ts';
import type { User } from '../users/index.ts';
import type { Output, Unread } from './output.ts';
import type { Terminal } from './terminal.ts';

/** What the process passes to the command line. */
export interface CliParts {
  version: string;
  terminal: Terminal;
  env: Environment;
  /** Tests pass their own modules. */
  openCore?: typeof openForCommand;
  /** A process that also does other work passes a function that leaves its priority unchanged. */
  lowerPriority?: () => void;
}

export interface CliContext extends CliParts {
  output: Output;
  /** Set by a command that was completed but found a problem. */
  exitCode: number;
}

interface Needs {
  /** The command makes sense before there is a database: it creates one. */
  mayBegin?: boolean;
  /** The command may encrypt provider keys, for which it needs the server's secret. */
  seals?: boolean;
}

/**
 * The result of a command: a value for programs, and the same as a text for people. `unread` marks a result that is
 * shown only once.
 */
type Result = readonly [value: unknown, text: string, unread?: Unread];

/** Runs a command's work on the open modules, and always closes them afterwards. */
export async function withCore<T>(
  context: CliContext,
  work: (core: Core) => Promise<T>,
  needs: Needs = {},
): Promise<T> {
  const { openCore = openForCommand, env, output } = context;
  const core = await openCore(env, needs, (line) => output.warn(line));
  try {
    return await work(core);
  } finally {
    await core.close();
  }
}

/** @returns an action that prints the result of `work`, which gets the command's arguments and options */
export function onCore<Given extends unknown[]>(
  context: CliContext,
  work: (core: Core, ...given: Given) => Promise<Result>,
  needs: Needs = {},
): (...given: Given) => Promise<void> {
  const run = async (core: Core, given: Given): Promise<void> => {
    const [value, text, unread] = await work(core, ...given);
    await (unread ? context.output.once(value, text, unread) : context.output.data(value, text));
  };
  return (...given) => withCore(context, (core) => run(core, given), needs);
}

/** Like `onCore`, for a command whose first argument is the login of a user. */
export function onUser<Given extends unknown[]>(
  context: CliContext,
  work: (user: User, core: Core, ...given: Given) => Promise<Result>,
): (login: string, ...given: Given) => Promise<void> {
  return onCore(context, async (core, login: string, ...given: Given) =>
    work(await findUser(core, login), core, ...given),
  );
}

/** An act of the person who runs this command: the code that makes the change records it. */
export function commandAct({ audit }: Core, action: AuditAction): Act {
  return audit.act(action, { origin: 'command', systemUser: systemUser() });
}

/** @throws `not_found` that says what to do */
export async function findUser({ users }: Core, login: string): Promise<User> {
  try {
    return await users.find(login);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
    throw new DomainError('not_found', `there is no user "${login}": zastava user list shows all`);
  }
}

/**
 * Opens the database, whether or not a server uses it. The modules are loaded here, so that a usage error does not load
 * them.
 * @param print called with a line that says which data this is, if the operator may expect other data, and with a line
 * that says that another process holds the lock
 * @throws ConfigError if there is no installation, or it can't be used
 */
async function openForCommand(
  env: Environment,
  { mayBegin, seals }: Needs,
  print: (line: string) => Promise<void>,
): Promise<Core> {
  exitWithParent();
  const config = readConfig(env);
  if (!mayBegin) await requireInstallation(config);
  const isNew = config.database.kind === 'sqlite' && (await sqliteBooks(config)) === undefined;
  // A command prints its result; only warnings and errors of its log matter.
  const logLevel = config.logLevel === 'info' ? 'warn' : config.logLevel;
  const { openCore } = await import('../core.ts');
  const core = await openCore(
    { ...config, logLevel },
    {
      asServer: false,
      seals: seals ?? false,
      watch: reportWaits(print),
    },
  );
  const { dataDir } = config;
  if (isNew) await print(`made a new database in ${dataDir}`);
  else if (isFoundByChance(env, config)) await print(`this is the database in ${dataDir}`);
  return core;
}

/**
 * Prints that the command waits, once for each process that holds the lock: a command that gives up meets the same lock
 * again.
 */
export function reportWaits(
  print: (line: string) => Promise<void>,
): (error: DatabaseUnavailableError) => void {
  const reported = new Set<string>();
  return ({ reason, message }) => {
    if (reason !== 'locked' || reported.has(message)) return;
    reported.add(message);
    void print(`waiting: ${message}`).catch(() => undefined);
  };
}

/** No setting names the data directory, and it is in the current folder, which is not that of the program. */
function isFoundByChance(env: Environment, { database, dataDir }: Config): boolean {
  const isNamed = (env['ZASTAVA_DATA_DIR'] ?? '') !== '' || database.kind !== 'sqlite';
  return !isNamed && dirname(dataDir) !== programFolder();
}

/** Adds a command, with the examples at the end of its help. */
export function define(
  parent: Command,
  name: string,
  description: string,
  examples: readonly string[],
): Command {
  const heading = examples.length === 1 ? 'Example:' : 'Examples:';
  const help = `\n${heading}\n${examples.map((line) => `  ${line}`).join('\n')}`;
  return defineGroup(parent, name, description).addHelpText('after', help);
}

export function defineForUser(...definition: Parameters<typeof define>): Command {
  return define(...definition).argument('<login>', 'in any case');
}

export function defineGroup(program: Command, name: string, description: string): Command {
  const command = program.command(name).description(description);
  return command.showHelpAfterError(`See: ${pathOf(command)} --help`);
}

/** `zastava trust release use`. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}
