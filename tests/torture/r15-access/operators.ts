/**
 * Actions that operators must not be able to do: change an admin, use an admin's operations, give or get the rights of
 * an admin.
 */
import type { Gateway } from '../../support/gateway.ts';
import type { Document } from '../../support/openapi.ts';
import { unless } from '../support/campaign.ts';
import { routesOf, type Route } from '../support/routes.ts';
import { CANARY, type Owner } from './people.ts';

const PASSWORD = 'a good enough password';

interface Operator {
  name: string;
  login: string;
  token: string;
  /** Without it, nothing but top-ups. */
  hasScope: boolean;
}

interface Attempt {
  operator: Operator;
  root: Owner;
  document: Document;
}

export async function makeOperators(gateway: Gateway): Promise<Operator[]> {
  const olga = { login: 'olga', isOperator: true, credit: 100 };
  const { login, token, userId } = await gateway.addUser(olga);
  const key = async (scope: 'operator' | 'credit') =>
    (await gateway.core.keys.create(userId, { name: scope, scope })).key;
  return [
    { name: 'an operator', login, token, hasScope: true },
    { name: "an operator's key", login, token: await key('operator'), hasScope: true },
    { name: 'a key for top-ups', login, token: await key('credit'), hasScope: false },
  ];
}

export async function attackAsOperator(
  gateway: Gateway,
  { operator, root, document }: Attempt,
): Promise<{ requests: number; broken: string[] }> {
  // Operations that end the operator's own session, or that another test covers, are not tried here.
  const routes = routesOf(document, root).filter(
    ({ access, path, method }) =>
      method === 'POST' && access !== 'public' && access !== 'cookie' && !path.startsWith('/auth/'),
  );
  const broken: string[] = [];
  for (const { path, body, access } of routes) {
    const { status, shown } = await send(gateway, operator, path, body ?? {});
    const isClosed = access === 'admin' || (access === 'user' && !operator.hasScope);
    broken.push(
      ...unless(!isClosed || status === 403, `${operator.name}, ${path}: answered ${status}`),
      ...unless(
        access === 'operator' || !shown.includes(CANARY) || JSON.stringify(body).includes(CANARY),
        `${operator.name}, ${path}: was shown the admin`,
      ),
    );
  }
  const climbs = climbsOf(operator.login, root);
  for (const [path, body] of climbs) {
    const { status } = await send(gateway, operator, path, body);
    const line = `${operator.name}, ${path} with ${JSON.stringify(body)}: answered ${status}`;
    broken.push(...unless(status === 403 || status === 422, line));
  }
  return { requests: routes.length + climbs.length, broken };
}

async function send(gateway: Gateway, { token }: Operator, path: string, body: unknown) {
  const response = await gateway.fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, shown: await response.text() };
}

/** Valid bodies, all of which would give someone an admin's rights or data. */
function climbsOf(own: string, { login, keyId }: Owner): [Route['path'], object][] {
  return [
    ['/admin/users/add/', { login: 'eve', password: PASSWORD, role: 'admin' }],
    ['/admin/users/add/', { login: 'eve', password: PASSWORD, is_admin: true }],
    ['/admin/users/role/', { login: own, role: 'admin' }],
    ['/admin/users/role/', { login: 'bob', role: 'admin' }],
    ['/admin/users/role/', { login, role: 'user' }],
    ['/admin/users/password/', { login, password: PASSWORD }],
    ['/admin/users/export/', { login }],
    ['/admin/keys/create/', { login, name: 'x', scope: 'admin' }],
    ['/admin/keys/create/', { login, name: 'x' }],
    ['/admin/keys/create/', { login: 'bob', name: 'x', scope: 'admin' }],
    ['/admin/keys/limit/', { id: keyId, rubles_total: 1 }],
    ['/admin/keys/rotate/', { id: keyId }],
    ['/admin/keys/revoke/', { id: keyId }],
    ['/account/keys/', { name: 'x', scope: 'admin' }],
  ];
}
