import { FetchFailure } from './failures.ts';

/** The header with the user and the password of an address. @throws FetchFailure if they are not percent-encoded */
export function basicCredentials({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  try {
    const pair = [username, password].map(decodeURIComponent).join(':');
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  } catch {
    // The error would quote them.
    throw new FetchFailure('invalid_url', 'write % in its user and password as %25');
  }
}
