import { messageOf } from '../lib/errors.ts';
import type { ErrorView, JsonLine, ProgressView } from '../lib/json-line.ts';
import type { Terminal } from './terminal.ts';

/** The reason why nobody can read what was printed, although printing did not fail. */
export const DISCARDED = 'standard output is closed, or the null device';

/** What to report if nobody can read a result that is shown only once. */
export interface Unread {
  /** What was created anyway. */
  made: string;
  /** The secret that is then lost, and what to do; undefined: the result contains no secret. */
  lost: string | undefined;
}

/** What a command prints: results to standard output, everything else to standard error. */
export class Output {
  readonly #terminal: Terminal;
  /** JSON on both streams, for programs. */
  json = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Prints the result of a command. @param text the same for people, without a line end */
  async data(value: unknown, text: string): Promise<void> {
    await this.raw(`${this.json ? JSON.stringify(value) : text}\n`);
  }

  /** Prints a result that is shown only once. @throws Error that says what is lost if nobody can read it */
  async once(value: unknown, text: string, { made, lost }: Unread): Promise<void> {
    const remedy = lost === undefined ? made : `${made}, and ${lost}`;
    try {
      await this.data(value, text);
    } catch (error) {
      throw new Error(`${remedy} (standard output can't be written: ${messageOf(error)})`, {
        cause: error,
      });
    }
    if (lost !== undefined && this.isDiscarded) throw new Error(`${remedy} (${DISCARDED})`);
  }

  /** Whether nobody can read standard output. */
  get isDiscarded(): boolean {
    return this.#terminal.discards ?? false;
  }

  /** Prints a part of a result that comes in pieces. */
  async raw(text: string): Promise<void> {
    await this.#terminal.write(text);
  }

  /** Prints something that the operator should know, although the command continues. */
  async warn(message: string): Promise<void> {
    await this.#print({ warning: message }, `zastava: ${message}\n`);
  }

  /** Prints a note for people; programs do not get it. */
  async note(message: string): Promise<void> {
    if (!this.json) await this.#terminal.writeError(`${message}\n`);
  }

  /** Prints the progress of long work. @param text the same for people */
  async progress(progress: ProgressView, text: string): Promise<void> {
    await this.#print({ progress }, `${text}\n`);
  }

  /** Prints why a command failed. @param lines further lines for people */
  async error(error: ErrorView, lines: readonly string[] = []): Promise<void> {
    const text = [error.message, ...lines].map((line) => `zastava: ${line}\n`).join('');
    await this.#print({ error }, text);
  }

  async #print(line: JsonLine, text: string): Promise<void> {
    await this.#terminal.writeError(this.json ? `${JSON.stringify(line)}\n` : text);
  }
}
