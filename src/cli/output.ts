import type { ErrorView, JsonLine, ProgressView } from '../lib/json-line.ts';
import type { Terminal } from './terminal.ts';

/** What a command prints: results to standard output, everything else to standard error. */
export class Output {
  readonly #terminal: Terminal;
  /** JSON on both streams, for programs. */
  json = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Prints the result of a command. @param text the same for a person, without a line end */
  async data(value: unknown, text: string): Promise<void> {
    await this.raw(`${this.json ? JSON.stringify(value) : text}\n`);
  }

  /** Whether nobody can read standard output. */
  get isDiscarded(): boolean {
    return this.#terminal.discards ?? false;
  }

  /** Prints a part of a result that comes in pieces. */
  async raw(text: string): Promise<void> {
    await this.#terminal.write(text);
  }

  /** Prints something that the operator should know, although the command goes on. */
  async warn(message: string): Promise<void> {
    await this.#print({ warning: message }, `zastava: ${message}\n`);
  }

  /** Prints a remark for a person; programs do not get it. */
  async note(message: string): Promise<void> {
    if (!this.json) await this.#terminal.writeError(`${message}\n`);
  }

  /** Prints how far long work is. @param text the same for a person */
  async progress(progress: ProgressView, text: string): Promise<void> {
    await this.#print({ progress }, `${text}\n`);
  }

  /** Prints why a command failed. @param lines further lines for a person */
  async error(error: ErrorView, lines: readonly string[] = []): Promise<void> {
    const text = [error.message, ...lines].map((line) => `zastava: ${line}\n`).join('');
    await this.#print({ error }, text);
  }

  async #print(line: JsonLine, text: string): Promise<void> {
    await this.#terminal.writeError(this.json ? `${JSON.stringify(line)}\n` : text);
  }
}
