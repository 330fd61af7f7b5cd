import { ProviderError } from '../spec.ts';

/** The first line of a certificate in PEM. With other contents the runtime fails to connect, without a reason. */
const PEM_BEGIN = '-----BEGIN CERTIFICATE-----';

/** A file of additional trusted certificates, PEM; it is read when it is first needed. */
export class CaFile {
  readonly #path: string | undefined;
  #text: Promise<string> | undefined;

  /** @param path undefined if there are no additional certificates */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** @throws ProviderError `failed` if the file cannot be read or is not PEM; the next call reads it again */
  async read(): Promise<string | undefined> {
    const path = this.#path;
    if (path === undefined) return undefined;
    this.#text ??= Bun.file(path).text();
    try {
      const text = await this.#text;
      if (text.includes(PEM_BEGIN)) return text;
    } catch (error) {
      throw this.#failure(`cannot read the file of the option ca_file: ${path}`, error);
    }
    throw this.#failure(
      `the file of the option ca_file does not contain a certificate in PEM: ${path}`,
    );
  }

  #failure(detail: string, cause?: unknown): ProviderError {
    this.#text = undefined;
    const message = 'The certificates of the provider could not be read.';
    return new ProviderError('failed', message, { accepted: false, detail, cause });
  }
}
