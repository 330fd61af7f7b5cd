/** Requests whose answers are compared with the document, besides its examples. */
import type { Json } from '../support/openapi.ts';
import { type Gateway, PASSWORD } from '../support/gateway.ts';
import { movableClock } from '../support/clock.ts';
import { setUpSecondFactor } from '../support/second-factor.ts';
import type { Chatter, World } from '../support/world.ts';

type NativeRequest = [
  path: string,
  body: Json,
  token?: string | undefined,
  headers?: Record<string, string>,
];

const fromPage = { 'x-zastava-page': '1', 'sec-fetch-site': 'same-origin' };

const withGraph = 'needs the files of a link graph: admin-trust-jobs.test.ts';

/** Operations without a request here, each with the reason. */
export const withoutRequest: Readonly<Record<string, string>> = {
  '/account/second-factor/confirm/': 'needs a code of the moment: account-second-factor.test.ts',
  '/admin/trust/import/': withGraph,
  '/admin/trust/crawl/': 'needs sites: admin-trust-jobs.test.ts',
  '/admin/trust/rank/': withGraph,
  '/admin/trust/jobs/stop/': withGraph,
  '/admin/trust/releases/use/': withGraph,
  '/admin/trust/releases/remove/': withGraph,
};

/** In this order: a later request may need an earlier one. Sites of trust checks are at example.com. */
export async function nativeRequests(
  { gateway, user }: World,
  alice: Chatter,
  admin: Chatter,
): Promise<NativeRequest[]> {
  return [
    ...(await userRequests({ gateway, user }, alice)),
    ...(await adminRequests(gateway, alice, admin)),
  ];
}

async function userRequests(
  { gateway, user }: Pick<World, 'gateway' | 'user'>,
  alice: Chatter,
): Promise<NativeRequest[]> {
  const poor = await user({ credit: 0 });
  const batch = { count: 1, amount: 1_000_000, madeBy: 'test' };
  const code = (await gateway.core.voucherBatches.create(batch)).vouchers[0]?.code ?? '';
  const room_id = alice.room;
  const hi = { room_id, ai: 101, message: 'Hi' };
  const entered = await gateway.post(
    '/auth/session/',
    { login: alice.login, password: PASSWORD },
    { headers: fromPage },
  );
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const passwords = { current_password: PASSWORD, new_password: 'another good password' };
  const { id } = await gateway.core.keys.create(alice.userId, { name: 'to be changed' });
  return [
    ['/auth/login/', { login: alice.login, password: PASSWORD }],
    ['/auth/login/', { login: alice.login, password: 'no' }],
    ['/auth/register/', { login: 'eve', password: 'another good password' }],
    ['/auth/session/', { login: alice.login, password: PASSWORD }, undefined, fromPage],
    ['/auth/session/', { login: alice.login, password: PASSWORD }],
    ['/auth/session/confirm/', { password: PASSWORD }, alice.token],
    ['/auth/session/confirm/', { password: PASSWORD }, undefined, { ...fromPage, cookie }],
    ['/auth/session/end/', {}, (await user()).token],
    ['/auth/refresh/', {}, (await user()).token],
    ['/auth/logout/', {}, (await user()).token],
    ['/ai/room/', {}, alice.token],
    ['/ai/send/', hi, alice.token],
    ['/ai/send/', { ...hi, ai: 2 }, alice.token],
    ['/ai/send/', { ...hi, ai: 999 }, alice.token],
    ['/ai/send/', { ...hi, stream: true }, alice.token],
    ['/ai/send/', { ...hi, detached: true }, alice.token],
    ['/ai/stop/', { room_id, id: 1 }, alice.token],
    ['/ai/stop/', { room_id, id: 999 }, alice.token],
    ['/ai/stop/', {}, alice.token],
    ['/ai/send/', {}, alice.token],
    ['/ai/send/', hi],
    ['/ai/send/', { ...hi, room_id: poor.room }, poor.token],
    ['/ai/estimate/', hi, alice.token],
    ['/ai/history/', { room_id, include_failed: true }, alice.token],
    ['/ai/search/', { query: 'hi' }, alice.token],
    ['/ai/room/rename/', { room_id, title: 'Another title' }, alice.token],
    ['/ai/room/delete/', { room_id: await gateway.room(alice.token) }, alice.token],
    ['/trust/check/', { url: 'example.com' }, alice.token],
    ['/trust/bulk/', { urls: ['example.com', 'no address'], history: 1 }, alice.token],
    ['/trust/history/', { url: 'example.com' }, alice.token],
    ['/trust/last/', { url: 'example.com' }, alice.token],
    ['/account/password/', passwords, (await user()).token],
    ['/account/keys/', { name: 'a key' }, alice.token],
    ['/account/keys/limit/', { id, rubles_total: 5, tags: ['a'] }, alice.token],
    ['/account/keys/rotate/', { id }, alice.token],
    ['/account/keys/', {}, alice.token],
    ['/account/sessions/end/', { others: true }, alice.token],
    ...(await secondFactorRequests(gateway, alice)),
    ['/account/redeem/', { code }, alice.token],
    ['/account/redeem/', { code }, poor.token],
  ];
}

async function secondFactorRequests(gateway: Gateway, alice: Chatter): Promise<NativeRequest[]> {
  const [one, other] = [await withFactor(gateway), await withFactor(gateway)];
  return [
    ['/auth/login/', one.given],
    ['/auth/login/', { ...one.given, code: '12345' }],
    ['/account/second-factor/', {}, one.token],
    ['/account/second-factor/begin/', { password: PASSWORD }, alice.token],
    ['/account/second-factor/confirm/', { code: '12345' }, alice.token],
    ['/account/second-factor/recovery-codes/', { ...one.given, code: one.code }, one.token],
    ['/account/second-factor/end/', { ...other.given, code: other.code }, other.token],
  ];
}

/**
 * A user with a second factor.
 * @returns a recovery code, which is valid at any time
 */
async function withFactor(gateway: Gateway) {
  const user = await gateway.addUser();
  const given = { login: user.login, password: PASSWORD };
  const { codes } = await setUpSecondFactor(gateway, movableClock(), user);
  const body = { ...given, code: codes[0] };
  const { token } = await gateway.data<{ token: string }>('/auth/login/', body);
  return { given, token, code: codes[1] };
}

export async function adminRequests(
  gateway: World['gateway'],
  alice: Chatter,
  { token }: Chatter,
): Promise<NativeRequest[]> {
  const { userId, login, token: own } = await gateway.addUser();
  await setUpSecondFactor(gateway, movableClock(), { token: own });
  const { id } = await gateway.core.keys.create(userId, { name: 'a key', expiresAt: null });
  const sent = await alice.send();
  const listed = { litellm_provider: 'openai', mode: 'chat' };
  const csv = 'id,date,model,prompt_tokens,completion_tokens\nx,2026-01-01,gpt-x,7,3\n';
  const requests: [path: string, body: Json][] = [
    ['/admin/users/', {}],
    ['/admin/users/add/', { login: 'newcomer' }],
    ['/admin/users/show/', { login }],
    ['/admin/users/credit/', { login, amount: '1', reason: 'a gift' }],
    ['/admin/users/transactions/', { login }],
    ['/admin/users/usage/', { login: alice.login }],
    ['/admin/users/limit/', { login, limit: '1' }],
    ['/admin/users/quota/', { login, requests_per_minute: 60 }],
    ['/admin/users/password/', { login, password: 'another good password' }],
    ['/admin/users/second-factor/reset/', { login }],
    ['/admin/users/block/', { login }],
    ['/admin/users/unblock/', { login }],
    ['/admin/users/role/', { login, role: 'operator' }],
    ['/admin/users/export/', { login }],
    ['/admin/keys/', { login }],
    ['/admin/keys/create/', { login, name: 'phone' }],
    ['/admin/keys/limit/', { id, rubles_total: 5 }],
    ['/admin/keys/rotate/', { id }],
    ['/admin/keys/revoke/', { id }],
    ['/admin/users/erase/', { login }],
    ['/admin/attempts/', { login: alice.login, message_id: sent.id }],
    ['/admin/refunds/', { model_id: 101, from: 0, to: 4e9, percent: 50, reason: 'wrong price' }],
    ['/admin/users/refund/', { login: alice.login, message_id: sent.id, reason: 'cut' }],
    ['/admin/invitations/create/', { uses: 2, credit: 1 }],
    ['/admin/invitations/', {}],
    ['/admin/invitations/show/', { id: 1 }],
    ['/admin/invitations/revoke/', { id: 1 }],
    ['/admin/vouchers/create/', { count: 2, amount: 1 }],
    ['/admin/vouchers/', {}],
    ['/admin/vouchers/show/', { id: 1 }],
    ['/admin/vouchers/revoke/', { id: 1 }],
    ['/admin/catalogue/', {}],
    [
      '/admin/catalogue/price/',
      { id: 101, price: { cost_input_tokens_rub: '1.5' }, dry_run: true },
    ],
    ['/admin/catalogue/yaml/', {}],
    ['/admin/catalogue/versions/', { id: 101 }],
    ['/admin/catalogue/apply/', { yaml: 'models: []', dry_run: true }],
    ['/admin/catalogue/import/', { list: { 'gpt-x': listed }, usd_rate: '92.5' }],
    ['/admin/status/', {}],
    ['/admin/usage/', {}],
    ['/admin/report/', { by: ['key'] }],
    ['/admin/report/', { by: ['user'] }],
    ['/admin/audit/', {}],
    ['/admin/ledger/verify/', {}],
    ['/admin/reconcile/', { csv }],
    ['/admin/trust/seeds/', {}],
    ['/admin/trust/seeds/add/', { kind: 'trusted', domains: ['example.com'] }],
    ['/admin/trust/seeds/remove/', { domains: ['example.com'] }],
    ['/admin/trust/jobs/', {}],
    ['/admin/trust/releases/', {}],
  ];
  return [
    ...requests.map(([path, body]): NativeRequest => [path, body, token]),
    ['/admin/users/', {}, alice.token],
  ];
}
