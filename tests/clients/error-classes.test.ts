/** Every error code, through each dialect, becomes the client's own exception. */
import { describe, expect, test } from 'bun:test';
import { anthropicFailure, openAiFailure } from '../../src/http/compatible/errors.ts';
import { compatibleStatusOf } from '../../src/http/errors.ts';
import { DomainError, errorCodes } from '../../src/lib/errors.ts';
import { failure } from '../support/failure.ts';
import { question } from './client.ts';
import { kinds } from './kinds.ts';
import { anthropicMessages } from './kinds/anthropic.ts';

for (const kind of kinds) {
  describe(kind.name, () => {
    test('maps every error to its own class', async () => {
      let code = errorCodes[0] as (typeof errorCodes)[number];
      const view = kind === anthropicMessages ? anthropicFailure : openAiFailure;
      await using server = disposable(() =>
        view(new DomainError(code, `this is ${code}`), 'request-1'),
      );
      const client = kind.make({ origin: server.origin, key: 'zk' });
      for (code of errorCodes) {
        const error = await failure(client.send(question('Hi')));
        const status = compatibleStatusOf(code);
        expect([code, kind.statusOf(error)]).toEqual([code, status]);
        expect(error).toBeInstanceOf(kind.exceptionFor(status));
        expect(String(error)).toContain(`this is ${code}`);
      }
    });
  });
}

/** A server that answers everything with one response. */
function disposable(answer: () => Response) {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer });
  return {
    origin: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
