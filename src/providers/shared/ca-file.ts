import { ProviderError } from '../spec.ts';

/**
 * The first line of a PEM certificate. With any other content, the runtime fails to connect without giving a reason.
 */
const PEM_BEGIN = '-----BEGIN CERTIFICATE-----';

/**
 * Reads a file of additional trusted certificates, PEM, when it is first needed.
 * @param path undefined if there are no additional certificates
 * @returns reads it; throws ProviderError `failed` if it cannot be read or is not PEM, and the next call tries again
 */
export function caFile(path: string | undefined): () => Promise<string | undefined> {
  let text: string | undefined;
  return async () => {
    if (path === undefined || text !== undefined) return text;
    const read = await Bun.file(path)
      .text()
      .catch((error: unknown) => {
        throw unusable(`cannot read the file of the option ca_file: ${path}`, error);
      });
    const why = `the file of the option ca_file does not contain a certificate in PEM: ${path}`;
    if (!read.includes(PEM_BEGIN)) throw unusable(why);
    text = read;
    return text;
  };
}

function unusable(detail: string, cause?: unknown): ProviderError {
  const message = 'The certificates of the provider could not be read.';
  return new ProviderError('failed', message, { accepted: false, detail, cause });
}
