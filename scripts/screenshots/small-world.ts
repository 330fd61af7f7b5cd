/**
 * A server with some users, rooms, spend and a checked site. All of it is made by real requests: days pass on the
 * server's own clock, answers come from a provider on loopback that knows a few, pictures from the sandbox.
 */
import { openGateway, type Gateway, type TestUser } from '../../tests/support/gateway.ts';
import { movableClock } from '../../tests/support/clock.ts';
import { openWeb } from '../../tests/trust/crawl/web.ts';
import { makeRelease } from '../../tests/trust/check/links.ts';
import { DAY_MS } from '../../src/lib/days.ts';
import { talks, type Talk } from './talks.ts';
import { openProvider } from './provider.ts';
import { earlierLinks, homePage, links, SITE } from './sites.ts';

export interface SmallWorld extends AsyncDisposable {
  address: string;
  /** The admin whose screens are shown. */
  login: string;
  /** A user who has nothing yet. */
  newcomer: string;
  /** A user who is shown to the admin. */
  client: string;
  model: number;
  site: string;
  rooms: Record<Talk['name'], string>;
  /** The code of an invitation. */
  invitation: string;
}

/** Days of spend; the link graph gets a new release in the middle. */
const DAYS = 13;
const LARGE = 101;
const SMALL = 102;
const IMAGE = 103;

export async function openSmallWorld(days = DAYS): Promise<SmallWorld> {
  await using stack = new AsyncDisposableStack();
  const provider = stack.use(openProvider());
  const web = stack.use(openWeb({ [`${SITE}/`]: homePage }));
  const clock = movableClock();
  clock.forward(-days * DAY_MS);
  const gateway = stack.use(
    await openGateway('sqlite', {
      clock,
      catalogue: catalogueOf(provider.url),
      env: {
        ZASTAVA_FETCH_ALLOW: '127.0.0.0/8',
        ZASTAVA_FETCH_RESOLVE: web.resolve,
        ZASTAVA_REGISTRATION: 'invitation',
      },
    }),
  );
  const admin = await gateway.addUser({ login: 'olga', credit: 1500, isAdmin: true });
  const users = [
    await gateway.addUser({ login: 'ivan', credit: 500 }),
    await gateway.addUser({ login: 'studio-north', credit: 2000 }),
    await gateway.addUser({ login: 'maria', credit: 40 }),
  ];
  await makeRelease(gateway.core.trust, '2026-spring', earlierLinks);
  await check(gateway, await freshly(gateway, admin));
  for (let day = 0; day < days; day++) {
    if (day === Math.ceil(days / 2)) {
      await makeRelease(gateway.core.trust, '2026-summer', links);
      await check(gateway, await freshly(gateway, admin));
    }
    await spendOfDay(gateway, [admin, ...users], day);
    clock.forward(DAY_MS);
  }
  const now = await freshly(gateway, admin);
  const rooms = await talk(gateway, now);
  await gateway.data('/account/keys/', { name: 'laptop' }, now);
  await gateway.data(
    '/account/keys/',
    { name: 'nightly report', scope: 'chat', rubles_per_month: '300', tags: ['report'] },
    now,
  );
  await gateway.data('/admin/vouchers/create/', { count: 12, amount: '250', note: 'Fair' }, now);
  const { code } = await gateway.data<{ code: string }>(
    '/admin/invitations/create/',
    { uses: 20, credit: '100', rubles_per_day: 50, note: 'Team' },
    now,
  );
  const newcomer = await gateway.addUser({ login: 'nina' });
  const address = gateway.listen();
  const kept = stack.move();
  return {
    address,
    login: admin.login,
    newcomer: newcomer.login,
    client: 'studio-north',
    model: LARGE,
    site: SITE,
    rooms,
    invitation: code,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Rubles for a million tokens. */
function price(input: number, output: number) {
  return { cost_input_tokens_rub: input, cost_output_tokens_rub: output };
}

function catalogueOf(url: string): string {
  const text = { type: 'TEXT', is_chat_mode_allowed: 1, min_temperature: 0, max_temperature: 2 };
  const large = { max_input_tokens: 128_000, max_output_tokens: 8_000 };
  // JSON is YAML.
  return JSON.stringify({
    sandbox: 'off',
    providers: {
      house: { kind: 'openai', base_url: url, api_key: 'sk-house' },
      studio: { kind: 'sandbox' },
    },
    models: [
      { id: LARGE, provider: 'house', model: 'large', ...text, ...large, ...price(900, 3600) },
      { id: SMALL, provider: 'house', model: 'small', ...text, ...large, ...price(120, 480) },
      {
        id: IMAGE,
        provider: 'studio',
        model: 'picture',
        type: 'IMAGE',
        max_input_tokens: 4_000,
        max_output_tokens: 1,
        cost_output_fix_rub: 3.5,
      },
    ],
  });
}

/** Tokens from earlier days have expired. */
async function freshly(gateway: Gateway, { login, userId }: TestUser): Promise<TestUser> {
  return { login, userId, token: await gateway.login(login) };
}

function check(gateway: Gateway, user: TestUser) {
  return gateway.data('/trust/check/', { url: SITE, history: 1 }, user);
}

/** Each user asks some questions, on some days more than on others. */
async function spendOfDay(gateway: Gateway, users: readonly TestUser[], day: number) {
  for (const [at, each] of users.entries()) {
    const user = await freshly(gateway, each);
    const count = ((day * 5 + at * 3) % 7) + (at === 0 ? 2 : 0);
    const room = await gateway.room(user.token);
    await rename(gateway, user, room, `Notes of day ${day + 1}`);
    for (let one = 0; one < count; one++) {
      const ai = (day + one + at) % 3 === 0 ? LARGE : SMALL;
      const message = 'Summarise the notes of today. '.repeat(20 + ((day * 7 + one * 11) % 40));
      await gateway.data('/ai/send/', { room_id: room, ai, message }, user);
    }
    if ((day + at) % 4 === 0) {
      const ask = { room_id: room, ai: IMAGE, message: 'A lighthouse in fog', seed: day };
      await gateway.data('/ai/send/', ask, user);
    }
  }
}

async function talk(gateway: Gateway, user: TestUser): Promise<SmallWorld['rooms']> {
  const rooms = { code: '', image: '', russian: '' };
  const models = { large: LARGE, small: SMALL, image: IMAGE };
  for (const { name, title, turns } of talks) {
    rooms[name] = await gateway.room(user.token);
    for (const { ai, request } of turns) {
      const body = { room_id: rooms[name], ai: models[ai], message: request };
      const depth = ai === 'image' ? { seed: 7 } : { chat_depth: 2 };
      await gateway.data('/ai/send/', { ...body, ...depth }, user);
    }
    await rename(gateway, user, rooms[name], title);
  }
  return rooms;
}

function rename(gateway: Gateway, user: TestUser, room_id: string, title: string) {
  return gateway.data('/ai/room/rename/', { room_id, title }, user);
}
