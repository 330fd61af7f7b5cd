import type { Terminal } from './parts.ts';

/** What a command prints: data for people or for machines to standard output, talk to standard error. */
export class Output {
  readonly #terminal: Terminal;
  /** True: JSON on both streams. */
  json = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** The result of a command. @param text the same for people, without a line end */
  async data(value: unknown, text: string): Promise<void> {
    await this.raw(`${this.json ? JSON.stringify(value) : text}\n`);
  }

  /** Whether the result goes where nobody can read it. */
  get isDiscarded(): boolean {
    return this.#terminal.discards ?? false;
  }

  /** A part of a result that comes in pieces. */
  async raw(text: string): Promise<void> {
    await this.#terminal.write(text);
  }

  /** Something that an operator should know and a program may skip. */
  async warn(message: string): Promise<void> {
    await this.#terminal.tell(
      this.json ? `${JSON.stringify({ warning: message })}\n` : `zastava: ${message}\n`,
    );
  }

  /** A word besides the result, for people only. */
  async note(message: string): Promise<void> {
    if (!this.json) await this.#terminal.tell(`${message}\n`);
  }

  /** How far long work is. @param text the same for people */
  async progress(progress: ProgressView, text: string): Promise<void> {
    await this.#terminal.tell(`${this.json ? JSON.stringify({ progress }) : text}\n`);
  }

  /** Why a command failed. @param lines what else there is to say, for people */
  async error(error: CliError, lines: readonly string[] = []): Promise<void> {
    const text = [error.message, ...lines].map((line) => `zastava: ${line}\n`).join('');
    await this.#terminal.tell(this.json ? `${JSON.stringify({ error })}\n` : text);
  }
}

/** How far a step of long work is, as machines read it. */
export interface ProgressView {
  step: string;
  /** Items of that step; undefined where a step is not counted. */
  done?: number;
  /** null: nobody knows. */
  total?: number | null;
}

/** An error as machines read it. */
export interface CliError {
  /** One of the codes of the HTTP interface, `usage`, or `failed` for all else. */
  code: string;
  message: string;
  details?: readonly { path: string; message: string }[];
}
