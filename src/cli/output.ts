import type { ToldError, ToldLine, ToldProgress } from '../lib/told-line.ts';
import type { Terminal } from './terminal.ts';

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
    await this.#tell({ warning: message }, `zastava: ${message}\n`);
  }

  /** A word besides the result, for people only. */
  async note(message: string): Promise<void> {
    if (!this.json) await this.#terminal.tell(`${message}\n`);
  }

  /** How far long work is. @param text the same for people */
  async progress(progress: ToldProgress, text: string): Promise<void> {
    await this.#tell({ progress }, `${text}\n`);
  }

  /** Why a command failed. @param lines what else there is to say, for people */
  async error(error: ToldError, lines: readonly string[] = []): Promise<void> {
    const text = [error.message, ...lines].map((line) => `zastava: ${line}\n`).join('');
    await this.#tell({ error }, text);
  }

  /** @param text the same for people */
  async #tell(told: ToldLine, text: string): Promise<void> {
    await this.#terminal.tell(this.json ? `${JSON.stringify(told)}\n` : text);
  }
}
