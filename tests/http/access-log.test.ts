/** The access log: one line for each request, without texts. */
import { expect, test } from 'bun:test';
import { randomUUID } from 'node:crypto';
import { dialects } from '../support/databases.ts';
import { allEvents, eventsOf } from '../support/event-stream.ts';
import { closed, openWorld, TEXT_MODEL, type WorldOptions } from '../support/world.ts';
import { recordingLog, type LogLine } from '../users/world.ts';

async function openLogged(dialect: 'sqlite' | 'postgres' = 'sqlite', options: WorldOptions = {}) {
  const logged: LogLine[] = [];
  const world = await openWorld(dialect, { log: recordingLog(logged, 'info'), ...options });
  const alice = await world.user();
  logged.length = 0;
  const requests = () => logged.filter(({ msg }) => msg === 'request');
  return { world, alice, logged, requests };
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ms = expect.any(Number) as number;

for (const dialect of dialects) {
  test(`${dialect}: a send is one line with its cost, and without its texts`, async () => {
    const { world, alice, logged } = await openLogged(dialect);
    await using _ = world;
    const id = randomUUID();
    const headers = { 'x-request-id': id };
    const sent = await alice.send({ message: 'a secret question' }, { headers });
    expect(logged).toEqual([
      {
        level: 30,
        time,
        method: 'POST',
        route: '/ai/send/',
        status: 200,
        ms,
        user: alice.userId,
        model: TEXT_MODEL,
        message: sent.id,
        provider_ms: expect.any(Number) as number,
        cost: Number((sent.cost_request + sent.cost_response).toFixed(6)),
        request_id: id,
        msg: 'request',
      } as unknown as LogLine,
    ]);
  });

  test(`${dialect}: a provider's failure has the request id of its request, and names the user`, async () => {
    const { world, alice, logged } = await openLogged(dialect);
    await using _ = world;
    await world.provider.script('500');
    const { body } = await alice.trySend();
    const about = { user: alice.userId, model: TEXT_MODEL, request_id: body.request_id };
    expect(logged).toMatchObject([
      { ...about, level: 40, provider: 'scripted', reason: 'failed', status: 500 },
      { ...about, level: 30, route: '/ai/send/', status: 502, outcome: 'provider_error', cost: 0 },
    ]);
    expect(logged[0]?.['message']).toBe(logged[1]?.['message']);
  });
}

for (const dialect of dialects) {
  test(`${dialect}: the line has a lowered cap as requested and as granted`, async () => {
    const { world, alice, requests } = await openLogged(dialect);
    await using _ = world;
    const limited = await world.user();
    await world.gateway.core.limits.set(limited.userId, { tokensPerMinute: 600 });
    const { warnings } = await limited.send();
    const [, allowed] = /lowered to (\d+),/.exec(warnings.join()) ?? [];
    const whole = { route: '/ai/send/', status: 200, user: limited.userId };
    const line = requests().at(-1);
    expect(line).toMatchObject({ ...whole, output_allowed: Number(allowed) });
    expect(line?.['output_asked']).toBeGreaterThan(Number(allowed));
    await alice.send();
    expect(requests().at(-1)).not.toHaveProperty('output_asked');
  });

  test(`${dialect}: the line of a refused login has the user and the address, on each interface`, async () => {
    const { world, requests } = await openLogged(dialect, {
      env: { ZASTAVA_TRUSTED_PROXIES: '127.0.0.1' },
    });
    await using _ = world;
    const { gateway } = world;
    const { login } = await world.user();
    const address = '203.0.113.7';
    const from = { 'x-forwarded-for': address };
    const guess = (name: string) =>
      gateway.post('/auth/login/', { login: name, password: 'wrong' }, { headers: from });
    const begun = requests().length;
    let status = 401;
    while (status !== 429) status = (await guess(login.toUpperCase())).status;
    await guess('a password by mistake');
    const form = new URLSearchParams({ login, pass: 'wrong' });
    await gateway.fetch('/login.php', { method: 'POST', body: form, headers: from });
    const lines = requests().slice(begun);
    const page = { 'x-zastava-page': '1', 'sec-fetch-site': 'same-origin', ...from };
    await gateway.post('/auth/session/', { login, password: 'wrong' }, { headers: page });
    const about = { outcome: 'too_many_attempts', status: 429, login, address };
    expect(lines[0]).toMatchObject({ outcome: 'wrong_credentials', status: 401, login, address });
    expect(lines.at(-3)).toMatchObject({ ...about, route: '/auth/login/' });
    expect(lines.at(-2)).toMatchObject({ status: 401, login: null, address });
    expect(lines.at(-1)).toMatchObject({ ...about, route: '/login.php' });
    expect(requests().at(-1)).toMatchObject({ ...about, route: '/auth/session/' });
    expect(JSON.stringify(requests())).not.toContain('a password by mistake');
  });
}

test('a stream is logged at its end, also one that its client leaves, on every interface', async () => {
  const { world, alice, requests } = await openLogged();
  await using _ = world;
  const done = (await allEvents(await alice.stream())).at(-1)?.data as { id: number };
  expect(requests()).toMatchObject([{ status: 200, message: done.id }]);
  expect(requests()[0]?.['cost']).toBeGreaterThan(0);
  await world.provider.script({ pauseAfterFirst: true, deltas: ['One ', 'two'] });

  for await (const { event } of eventsOf(await alice.stream())) if (event === 'delta') break;
  const left = Number((await closed(alice)).message_id);
  while (!requests().some(({ message }) => message === left)) await alice.history();
  expect(requests().filter(({ status }) => status === 200)).toContainEqual(
    expect.objectContaining({ message: left, model: TEXT_MODEL, outcome: 'stopped' }) as LogLine,
  );
  await world.provider.script('good');
  const body = { model: 'scripted/scripted-text', stream: true };
  const messages = [{ role: 'user', content: 'Hi' }];
  const response = await world.gateway.fetch('/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify({ ...body, messages }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${alice.token}` },
  });
  await response.text();
  const last = requests().at(-1);
  expect(last).toMatchObject({ route: '/v1/chat/completions', status: 200, user: alice.userId });
  expect(last?.['cost']).toBeGreaterThan(0);
});

test('a stream that is refused before it begins is logged with its status', async () => {
  const { world, requests } = await openLogged();
  await using _ = world;
  const poor = await world.user({ credit: 0 });
  expect((await poor.stream()).status).toBe(402);
  const about = { status: 402, outcome: 'insufficient_funds', user: poor.userId };
  expect(requests().at(-1)).toMatchObject({ ...about, model: TEXT_MODEL });
  expect(requests().at(-1)).not.toHaveProperty('message');
});

test('a stream whose provider fails before the first word is logged once, with its status', async () => {
  const { world, alice, requests } = await openLogged();
  await using _ = world;
  await world.provider.script('500');
  const body = { model: 'scripted/scripted-text', stream: true, max_tokens: 100 };
  const messages = [{ role: 'user', content: 'Hi' }];
  for (const path of ['/v1/chat/completions', '/v1/messages']) {
    const request = { ...body, messages };
    const { status } = await world.gateway.post(path, request, { token: alice.token });
    expect(status).toBe(502);
    const lines = requests().filter(({ route }) => route === path);
    expect(lines).toMatchObject([{ status: 502, outcome: 'provider_error', cost: 0 }]);
  }
});

test('a repeat by its key has the message of the first answer, and no cost', async () => {
  const { world, alice, requests } = await openLogged();
  await using _ = world;
  const headers = { 'idempotency-key': 'k' };
  const { id } = await alice.send({}, { headers });
  await alice.send({}, { headers });
  expect(requests()).toMatchObject([{ message: id }, { message: id }]);
  expect(requests()[1]).not.toHaveProperty('cost');
});

test('the route is a pattern: no raw path is logged, and health checks are not logged at all', async () => {
  const { world, requests } = await openLogged();
  await using _ = world;
  for (const path of [
    '/healthz',
    '/readyz',
    '/metrics',
    '/images/SECRET',
    '/secret?secret',
    '/v1/models/se/cret',
  ]) {
    await world.gateway.fetch(path);
  }
  await world.gateway.fetch('/docs', { method: 'HEAD' });
  expect(requests()).toMatchObject([
    { method: 'GET', route: '/images/:id', status: 404 },
    { route: null, status: 404, outcome: 'not_found' },
    { route: '/v1/models/*', status: 401 },
    { method: 'HEAD', route: '/docs', status: 200 },
  ]);
  expect(JSON.stringify(requests())).not.toContain('ecret');
});

test.each([
  ['ZASTAVA_ACCESS_LOG=off', { env: { ZASTAVA_ACCESS_LOG: 'off' } }],
  ['the level warn', { log: recordingLog([], 'warn') }],
])('%s: no request is logged', async (...[, options]) => {
  const { world, alice, logged } = await openLogged('sqlite', options);
  await using _ = world;
  await alice.send();
  expect(logged).toEqual([]);
});
