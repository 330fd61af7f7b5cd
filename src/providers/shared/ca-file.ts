import { ProviderError } from '../spec.ts';

/** How a certificate begins in PEM; with anything else the runtime does not connect, and says nothing of why. */
const PEM_BEGIN = '-----BEGIN CERTIFICATE-----';

/** A file of certificates to trust besides the usual ones, PEM; read when first needed. */
export class CaFile {
  readonly #path: string | undefined;
  #text: Promise<string> | undefined;

  /** @param path undefined: none are needed */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** @throws ProviderError `failed` when the file can't be read or is no PEM, until it is */
  async read(): Promise<string | undefined> {
    const path = this.#path;
    if (path === undefined) return undefined;
    this.#text ??= Bun.file(path).text();
    try {
      const text = await this.#text;
      if (text.includes(PEM_BEGIN)) return text;
    } catch (error) {
      throw this.#failure(`the file of the option ca_file could not be read: ${path}`, error);
    }
    throw this.#failure(`the file of the option ca_file holds no certificate in PEM form: ${path}`);
  }

  #failure(detail: string, cause?: unknown): ProviderError {
    this.#text = undefined;
    const message = 'The certificates of the provider could not be read.';
    return new ProviderError('failed', message, { accepted: false, detail, cause });
  }
}
