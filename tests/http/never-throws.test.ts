/** Whichever part fails while a request is answered, the caller gets the contract's error without internals. */
import { expect, test } from 'bun:test';
import { lastResort } from '../../src/http/index.ts';
import { openGateway, type Envelope } from '../support/gateway.ts';

const shape = {
  status: 'error',
  error: {
    code: 'internal_error',
    message: expect.stringContaining('give the operator the request id'),
  },
  request_id: expect.stringMatching(/^\w{32}$/),
};

test('the last-resort answer has the format of every error, and no stack', async () => {
  const response = lastResort();
  expect(response.status).toBe(500);
  const body = (await response.json()) as Envelope;
  expect(body as unknown).toEqual(shape);
  expect(response.headers.get('x-request-id')).toBe(body.request_id ?? '');
});

test('a failure while answering a failure gets the last-resort answer', async () => {
  await using gateway = await openGateway('sqlite');
  const { core } = gateway;
  const { token } = await gateway.addUser();
  const broken = (): never => {
    throw new Error('ENOSPC: no space left on device, write');
  };
  // Both the operation and the report of its failure fail.
  Object.assign(core.db, { query: broken });
  core.log.error = (): void => {
    core.log.error = (): void => undefined;
    broken();
  };
  const { status, body } = await gateway.post('/account/', {}, { token });
  expect(status).toBe(500);
  expect(body as unknown).toEqual(shape);
});
