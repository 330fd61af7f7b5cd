import { ProviderError } from '../spec.ts';

/** A file of certificates to trust besides the usual ones, PEM; read when first needed. */
export class CaFile {
  readonly #path: string | undefined;
  #text: Promise<string> | undefined;

  /** @param path undefined: none are needed */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** @throws ProviderError `failed` when the file can't be read, until it can */
  async read(): Promise<string | undefined> {
    if (this.#path === undefined) return undefined;
    this.#text ??= Bun.file(this.#path).text();
    try {
      return await this.#text;
    } catch (error) {
      this.#text = undefined;
      throw new ProviderError('failed', 'The certificates of the provider could not be read.', {
        accepted: false,
        detail: `the file of the option ca_file could not be read: ${this.#path}`,
        cause: error,
      });
    }
  }
}
