/** The overview of the gateway for admins. */
import { describe, expect, test } from 'bun:test';
import packageFile from '../../package.json' with { type: 'json' };
import { BREAKER_FAILURES } from '../../src/providers/routing/breaker.ts';
import { dialects } from '../support/databases.ts';
import { micro, openWorld, TEXT_MODEL } from '../support/world.ts';

interface Status {
  version: string;
  database: string;
  nodes: { id: number; name: string; is_this: boolean; open_holds: number }[];
  providers: {
    code: string;
    models: number;
    breaker: string;
    problem: string | null;
    calls: number;
    failures: number;
    last_failure: { outcome: string; at: number } | null;
  }[];
  open_holds: { count: number; amount: number; oldest: { login: string; hold: number }[] };
  today: { requests: number; spend: number; top_users: { login: string; spend: number }[] };
}

for (const dialect of dialects) {
  describe(`${dialect}: the status`, () => {
    test("has the version, this node, today's spend and its largest users", async () => {
      await using world = await openWorld(dialect);
      const { gateway } = world;
      const admin = await world.user({ isAdmin: true });
      const [alice, bob] = [await world.user(), await world.user()];
      await alice.send();
      await bob.send();
      await bob.send();
      const status = await gateway.data<Status>('/admin/status/', {}, admin);
      expect(status).toMatchObject({ version: packageFile.version, database: dialect });
      expect(status.nodes).toMatchObject([{ is_this: true, open_holds: 0 }]);
      const charged = [...(await alice.charges()), ...(await bob.charges())];
      expect(micro(status.today.spend)).toBe(charged.reduce((sum, each) => sum + each, 0));
      expect(status.today.requests).toBe(3);
      expect(status.today.top_users.map(({ login }) => login)).toEqual([bob.login, alice.login]);
      const scripted = status.providers.find(({ code }) => code === 'scripted');
      expect(scripted).toMatchObject({
        models: 2,
        breaker: 'closed',
        problem: null,
        calls: 3,
        failures: 0,
        last_failure: null,
      });
    });

    test('has the open holds, oldest first', async () => {
      await using world = await openWorld(dialect);
      const { gateway, provider } = world;
      const admin = await world.user({ isAdmin: true });
      const [alice, bob] = [await world.user(), await world.user()];
      await provider.script('hold');
      const sends = [alice.send()];
      await provider.held(1);
      sends.push(bob.send());
      await provider.held(2);
      const { open_holds: holds, nodes } = await gateway.data<Status>('/admin/status/', {}, admin);
      const held = (await alice.funds()).held + (await bob.funds()).held;
      expect([holds.count, micro(holds.amount)]).toEqual([2, held]);
      expect(holds.oldest).toMatchObject([
        { login: alice.login, model_id: TEXT_MODEL },
        { login: bob.login, model: 'scripted-text' },
      ]);
      expect(nodes).toMatchObject([{ open_holds: 2 }]);
      provider.release();
      await Promise.all(sends);
      const after = await gateway.data<Status>('/admin/status/', {}, admin);
      expect(after.open_holds).toEqual({ count: 0, amount: 0, oldest: [] });
    });

    test('shows a provider that does not answer, and one that lacks a variable', async () => {
      await using world = await openWorld(dialect, {
        providers: () => ({ empty: { kind: 'openai', api_key: '${NOWHERE_SET}' } }),
      });
      const { gateway, provider } = world;
      const admin = await world.user({ isAdmin: true });
      const alice = await world.user();
      await provider.script('reset');
      for (let calls = 0; calls < BREAKER_FAILURES; calls++) await alice.trySend();
      const { providers } = await gateway.data<Status>('/admin/status/', {}, admin);
      const of = (code: string) => providers.find((one) => one.code === code);
      expect(of('scripted')).toMatchObject({
        breaker: 'open',
        failures: BREAKER_FAILURES,
        last_failure: { outcome: 'unreachable' },
      });
      expect(of('empty')?.problem).toContain('NOWHERE_SET');
    });
  });
}
