/** Promise R19: an allowance is exact, however many checks are concurrent, on both interfaces and all nodes. */
import { legacyCookie } from '../../support/legacy-cookie.ts';
import { campaign, unless, type Report, type Run } from '../support/campaign.ts';
import { postOk, login, loginAsAdmin, post } from '../support/client.ts';
import { limitedKey } from '../support/limited-key.ts';
import { nobodyThere } from '../support/routes.ts';
import { openStand, SECRET } from '../support/stand.ts';

const ALLOWANCE = 100;
const NODES = 3;
const PASSWORD = 'allowance-password';
const sites = ['example.com', 'example.org'];

interface AllowanceSizes extends Record<string, number> {
  rounds: number;
  checks: number;
}

export const allowance = campaign<AllowanceSizes>({
  name: 'allowance',
  promise: 'R19',
  title: 'an allowance is exact',
  full: { rounds: 20, checks: 1_000 },
  // tests/http/trust-allowance.test.ts is its small size.
  small: undefined,
  run: runAllowance,
});

async function runAllowance({ dialect, sizes }: Run<AllowanceSizes>): Promise<Report> {
  await using stand = await openStand(dialect, { env: { ...nobodyThere } });
  const nodes = [await stand.start(0)];
  // A SQLite database has one process.
  const count = dialect === 'postgres' ? NODES : 1;
  for (let node = 1; node < count; node++) nodes.push(await stand.start(node));
  const urls = nodes.map(({ url }) => url);
  const [first = ''] = urls;
  const admin = await loginAsAdmin(first);
  const broken: string[] = [];
  for (let round = 0; round < sizes.rounds; round++) {
    const user = { login: `user-${round}`, password: PASSWORD };
    await postOk(first, admin, '/admin/users/add/', { ...user, trust_allowance: ALLOWANCE });
    const token = await login(first, user);
    const { key } = await limitedKey(first, token, { requests_per_minute: 1 });
    const remaining = await Promise.all(
      Array.from({ length: sizes.checks }, (_, index) =>
        check(urls[index % urls.length] ?? '', { token, key }, index),
      ),
    );
    const passed = remaining.filter((left) => typeof left === 'number').sort((a, b) => a - b);
    const odd = remaining.filter((left) => typeof left === 'string');
    const isExact = passed.length === ALLOWANCE && passed.every((left, index) => left === index);
    broken.push(
      ...unless(isExact, `round ${round}: ${passed.length} passed, remaining ${String(passed)}`),
      ...[...new Set(odd)].map((what) => `round ${round}: ${what}`),
    );
  }
  return { figures: { nodes: nodes.length }, broken };
}

interface Credentials {
  token: string;
  /** An API key, whose limits are for sends, not for checks. */
  key: string;
}

/** @returns the remaining checks; undefined if the allowance is used up; otherwise the answer */
async function check(url: string, { token, key }: Credentials, index: number) {
  const site = sites[index % sites.length] ?? '';
  if (index % 3 === 0) {
    const query = new URLSearchParams({ url: site, tp: '3', h: '0' }).toString();
    const headers = legacyCookie(token, SECRET);
    const response = await fetch(`${url}/trast.php?${query}`, { headers });
    const fields = (await response.text()).split('|');
    if (response.status === 200) return Number(fields[3]);
    return response.status === 429 ? undefined : `${response.status} ${fields.join('|')}`;
  }
  const credential = index % 2 === 0 ? key : token;
  const answer = await post(url, credential, '/trust/check/', { url: site });
  if (answer?.status === 200) return Number(answer.data['remaining']);
  return answer?.code === 'allowance_used_up' ? undefined : `${answer?.status} ${answer?.code}`;
}
