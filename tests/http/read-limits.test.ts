/** Expensive reads are bounded for each user, with a Retry-After. */
import { describe, expect, spyOn, test } from 'bun:test';
import {
  EXPORTS_PER_MINUTE,
  HISTORIES_PER_MINUTE,
  ReadLimits,
} from '../../src/http/read-limits.ts';
import { DomainError } from '../../src/lib/errors.ts';
import { stillClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';

describe('calls per minute', () => {
  test('are counted by user and operation, and start again a minute after the first', () => {
    let now = 0;
    const limits = new ReadLimits({ now: () => 0, monotonic: () => now });
    const refusalOf = (userId: number, path = '/a/'): number | undefined => {
      try {
        limits.take(userId, path, 3);
        return undefined;
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'rate_limited') throw error;
        return error.retryAfterSeconds;
      }
    };
    expect([1, 2, 3].map(() => refusalOf(1))).toEqual([undefined, undefined, undefined]);
    now = 500;
    expect([refusalOf(1), refusalOf(2), refusalOf(1, '/b/')]).toEqual([60, undefined, undefined]);
    now = 59_999;
    expect(refusalOf(1)).toBe(1);
    now = 60_000;
    expect([1, 2, 3, 4].map(() => refusalOf(1))).toEqual([undefined, undefined, undefined, 60]);
  });
});

for (const dialect of dialects) {
  describe(`${dialect}: a user`, () => {
    test('is limited in exports per minute; other users and other reads are not', async () => {
      const clock = stillClock();
      await using gateway = await openGateway(dialect, { clock });
      const { token } = await gateway.addUser();
      const other = await gateway.addUser();
      await gateway.room(token);
      for (let times = 0; times < EXPORTS_PER_MINUTE; times++) {
        await gateway.data<object>('/account/export/', {}, { token });
      }
      const refused = await gateway.post('/account/export/', {}, { token });
      expect([refused.status, refused.body.error?.code]).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61);
      await gateway.data<object>('/account/export/', {}, other);
      await gateway.data<object>('/ai/history/', { room_id: null }, { token });
      clock.forward(60_000);
      await gateway.data<object>('/account/export/', {}, { token });
    });

    test('is limited in histories per minute', async () => {
      const clock = stillClock();
      await using gateway = await openGateway(dialect, { clock });
      const { token, userId } = await gateway.addUser();
      const room_id = await gateway.room(token);
      const statusOf = async () =>
        (await gateway.post('/ai/history/', { room_id }, { token })).status;
      using taking = spyOn(ReadLimits.prototype, 'take');
      expect(await statusOf()).toBe(200);
      expect(taking.mock.calls).toEqual([[userId, '/ai/history/', HISTORIES_PER_MINUTE]]);
      const limits = taking.mock.contexts[0] as ReadLimits;
      // All but the last one, without sending the requests.
      for (let left = HISTORIES_PER_MINUTE - 2; left > 0; left--) {
        limits.take(userId, '/ai/history/', HISTORIES_PER_MINUTE);
      }
      expect([await statusOf(), await statusOf()]).toEqual([200, 429]);
      clock.forward(60_000);
      expect(await statusOf()).toBe(200);
    });
  });
}
