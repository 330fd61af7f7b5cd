/**
 * Promise R15: no access across users. Every route, with ids of what Alice has, is called by everyone but Alice: no
 * answer shows anything of hers, and nothing of hers changes. And every route, with ids of what an admin has, is called
 * by operators: nothing of the admin changes, and nobody gets more rights.
 */
import { movableClock } from '../../support/clock.ts';
import { openGateway, type Gateway } from '../../support/gateway.ts';
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { pick, randomFrom } from '../support/random.ts';
import {
  documentOf,
  isAdministrative,
  nobodyThere,
  routesOf,
  type Route,
} from '../support/routes.ts';
import { CANARY, cookie, makeOwner, makeStrangers, type Owner, type Stranger } from './people.ts';
import { attackAsOperator, makeOperators } from './operators.ts';
import { rowsOf } from './rows.ts';

export const access = campaign({
  name: 'access',
  promise: 'R15',
  title: 'no access across users',
  full: { rounds: 20 },
  small: { rounds: 1 },
  run: runAccess,
});

const ROUND_MS = 1_000_000;
const endsSessions = ['/auth/session/end/', '/auth/refresh/', '/auth/logout/', '/logout.php'];

interface Attack {
  route: Route;
  stranger: Stranger;
  alice: Owner;
  random: () => number;
}

async function runAccess({ dialect, seed, sizes }: Run<{ rounds: number }>): Promise<Report> {
  const random = randomFrom(seed);
  const clock = movableClock();
  await using gateway = await openGateway(dialect, { clock, env: { ...nobodyThere } });
  const strangers = await makeStrangers(gateway, clock);
  const alice = await makeOwner(gateway, 'alice');
  const root = await makeOwner(gateway, 'root', true);
  const operators = await makeOperators(gateway);
  const document = await documentOf((path) => gateway.fetch(path));
  const routes = routesOf(document, alice);
  const rows = async () => [
    await rowsOf(gateway.core.db, alice.userId),
    await rowsOf(gateway.core.db, root.userId),
  ];
  const before = await rows();
  const leaks: string[] = [];
  let requests = 0;
  for (let round = 0; round < sizes.rounds; round++) {
    // By then the failed logins have expired.
    clock.forward(ROUND_MS);
    for (const route of routes) {
      // A public operation is called without a credential.
      const callers = route.access === 'public' ? strangers.slice(0, 1) : strangers;
      for (const stranger of callers) {
        requests++;
        leaks.push(...(await attack(gateway, { route, stranger, alice, random })));
        if (endsSessions.includes(route.path)) await stranger.renew?.();
      }
      leaks.push(...(await attackByCookie(gateway, route, alice)));
    }
    for (const operator of operators) {
      const attempted = await attackAsOperator(gateway, { operator, root, document });
      requests += attempted.requests;
      leaks.push(...attempted.broken);
    }
  }
  const after = await rows();
  const powerful = await gateway.core.db.query(
    'SELECT login FROM users WHERE is_admin = 1 OR is_operator = 1',
  );
  return {
    figures: { routes: routes.length, strangers: strangers.length + operators.length, requests },
    broken: [
      ...linesOf({ leaks }),
      ...['Alice', 'the admin'].flatMap((name, at) => changesOf(name, before[at], after[at])),
      ...unless(powerful.length === 2, 'somebody became an operator or admin'),
    ],
  };
}

/** Fields that would grant more than the body is documented to grant. */
const grabs: readonly (readonly [string, (alice: Owner) => unknown])[] = [
  ['user_id', ({ userId }) => userId],
  ['userId', ({ userId }) => userId],
  ['login', ({ login }) => login],
  ['user', ({ login }) => login],
  ['is_admin', () => true],
  ['balance', () => 1_000_000],
  ['role', () => 'admin'],
  ['room_id', ({ roomId }) => roomId],
  ['previous_response_id', ({ roomId }) => roomId],
];

async function attack(gateway: Gateway, { route, stranger, alice, random }: Attack) {
  const { method, path, body, form } = route;
  const [name, value] = pick(grabs, random);
  const headers: Record<string, string> = { ...stranger.headers, 'x-room-id': alice.roomId };
  if (random() < 0.5) headers['idempotency-key'] = alice.idempotencyKey;
  if (random() < 0.2) headers['x-http-method-override'] = 'GET';
  let text: string | undefined;
  if (method === 'POST') {
    headers['content-type'] = form ? 'application/x-www-form-urlencoded' : 'application/json';
    text = form
      ? new URLSearchParams(form).toString()
      : JSON.stringify({ ...body, ...(random() < 0.5 && { [name]: value(alice) }) });
  }
  const query = method === 'GET' && form ? `?${new URLSearchParams(form).toString()}` : '';
  const response = await gateway.fetch(path + query, {
    method,
    headers,
    ...(text !== undefined && { body: text }),
  });
  const shown = await response.text();
  const what = `${stranger.name}, ${method} ${path}`;
  return [
    ...unless(!shown.includes(CANARY) || isEcho(text, shown), `${what}: was shown ${near(shown)}`),
    ...unless(isAllowed(route, stranger, response.status), `${what}: answered ${response.status}`),
  ];
}

/** Strangers get 401 and nothing else; users get their own data, and never an operation for admins. */
function isAllowed({ access: needs }: Route, { isUser }: Stranger, status: number): boolean {
  if (needs === 'public') return true;
  if (!isUser) return status === 401 || status === 403;
  return !isAdministrative({ access: needs }) || status === 403;
}

/** A caller may get their own input back, such as a guessed login in an error. */
function isEcho(sent: string | undefined, shown: string): boolean {
  const words = shown.match(new RegExp(`[\\w-]*${CANARY}[\\w-]*`, 'g')) ?? [];
  return words.every((word) => sent?.includes(word));
}

/** Browsers send a cookie unasked: only the older interface may accept it. */
async function attackByCookie(gateway: Gateway, route: Route, alice: Owner): Promise<string[]> {
  if (route.access !== 'user' && !isAdministrative(route)) return [];
  const { status } = await gateway.fetch(route.path, {
    method: route.method,
    headers: { ...cookie(alice.token), 'content-type': 'application/json' },
    ...(route.method === 'POST' && { body: JSON.stringify(route.body ?? {}) }),
  });
  return unless(status === 401, `Alice's cookie alone, ${route.path}: answered ${status}`);
}

function near(shown: string): string {
  const at = shown.indexOf(CANARY);
  return JSON.stringify(shown.slice(Math.max(0, at - 60), at + 60));
}

function changesOf(name: string, before = '', after = ''): string[] {
  if (before === after) return [];
  const had = new Set(before.split('\n'));
  const changed = after.split('\n').filter((line) => !had.has(line));
  return [`something of ${name} changed: ${changed.join('; ').slice(0, 300)}`];
}
