import { readFile } from 'node:fs/promises';
import { messageOf } from '../lib/errors.ts';
import type { Config } from './config.ts';

/**
 * What is wrong with NODE_EXTRA_CA_CERTS. The runtime reads that file by itself, and ignores it silently if it can't.
 * @returns undefined when it is not set, or holds certificates
 */
export async function certificatesProblem({ env }: Config): Promise<string | undefined> {
  const file = env['NODE_EXTRA_CA_CERTS'];
  if (!file) return undefined;
  try {
    const text = await readFile(file, 'latin1');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return undefined;
    return `NODE_EXTRA_CA_CERTS: ${file} holds no certificate in PEM form`;
  } catch (error) {
    return `NODE_EXTRA_CA_CERTS: ${file} can't be read, so it is not trusted: ${messageOf(error)}`;
  }
}
