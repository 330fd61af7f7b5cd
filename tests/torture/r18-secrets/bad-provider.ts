/** A provider that quotes its key in every error. */
import { ScriptedProvider, type Reply } from '../../support/scripted-provider.ts';

const statuses = [400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 529];

export async function startLeakyProvider(): Promise<ScriptedProvider> {
  const provider = await ScriptedProvider.start();
  await provider.script(({ headers }, index): Reply => {
    const key = headers['authorization'] ?? '';
    const leak = `Incorrect API key provided: ${key}. ${key.replace('Bearer ', '')}`;
    const error = { message: leak, type: leak, param: leak, code: leak };
    const status = statuses[index % (statuses.length + 3)];
    if (status !== undefined) {
      const about = { 'x-request-id': leak, 'www-authenticate': leak };
      return { status, body: { error, detail: leak }, headers: about };
    }
    // Three ways to quote it with a 200.
    if (index % 3 === 0) return { body: { error } };
    return index % 3 === 1 ? { body: { choices: leak } } : { finishReason: leak };
  });
  return provider;
}

export const ERRORS = statuses.length + 3;
