/** A provider that quotes its key in every error. */
import { ScriptedProvider, type Reply } from '../../support/scripted-provider.ts';

const statuses = [400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 529];

export async function startTellingProvider(): Promise<ScriptedProvider> {
  const provider = await ScriptedProvider.start();
  await provider.script(({ headers }, index): Reply => {
    const key = headers['authorization'] ?? '';
    const told = `Incorrect API key provided: ${key}. ${key.replace('Bearer ', '')}`;
    const error = { message: told, type: told, param: told, code: told };
    const status = statuses[index % (statuses.length + 3)];
    if (status !== undefined) {
      const about = { 'x-request-id': told, 'www-authenticate': told };
      return { status, body: { error, detail: told }, headers: about };
    }
    // Three ways to quote it with a 200.
    if (index % 3 === 0) return { body: { error } };
    return index % 3 === 1 ? { body: { choices: told } } : { finishReason: told };
  });
  return provider;
}

export const ERRORS = statuses.length + 3;
