/** Guesses from many addresses, at every interface that takes a password. */
import { between, pick } from '../support/random.ts';

const AT_ONCE = 50;

export interface Guesses {
  /** Counts by answer, e.g. `401 wrong_credentials`. */
  answers: Record<string, number>;
  letIn: string[];
}

interface Door {
  path: string;
  type: string;
  body: (login: string, password: string) => string;
  /** With the owner's own token, as someone who stole it would guess the password. */
  withToken?: boolean;
}

const doors: readonly Door[] = [
  {
    path: '/auth/login/',
    type: 'application/json',
    body: (login, password) => JSON.stringify({ login, password }),
  },
  {
    path: '/login.php',
    type: 'application/x-www-form-urlencoded',
    body: (login, pass) => new URLSearchParams({ login, pass, auto: '1' }).toString(),
  },
  {
    path: '/account/password/',
    type: 'application/json',
    body: (_, password) =>
      JSON.stringify({ current_password: password, new_password: 'a new password' }),
    withToken: true,
  },
];

export interface Attack {
  url: string;
  /** The owner's token, which may be stolen. */
  token: string;
  login: string;
  guesses: number;
  addresses: number;
  random: () => number;
}

export async function guess(attack: Attack): Promise<Guesses> {
  const { url, token, login, guesses, addresses, random } = attack;
  const result: Guesses = { answers: {}, letIn: [] };
  let left = guesses;
  const attacker = async () => {
    while (left-- > 0) {
      const door = pick(doors, random);
      const address = `203.0.113.${between(1, addresses + 1, random)}`;
      const name = random() < 0.2 ? `nobody-${between(0, 9, random)}` : login;
      const word = `guess ${between(0, 1e9, random)}`;
      const response = await fetch(url + door.path, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': door.type,
          'x-forwarded-for': address,
          ...(door.withToken && { authorization: `Bearer ${token}` }),
        },
        body: door.body(name, word),
      });
      const text = await response.text();
      const code = /"code":"(\w+)"/.exec(text)?.[1] ?? text;
      const what = `${response.status} ${code}`;
      result.answers[what] = (result.answers[what] ?? 0) + 1;
      const isIn = response.status === 302 || (response.status === 200 && text !== 'no');
      if (isIn || response.headers.has('set-cookie')) {
        result.letIn.push(`${door.path} from ${address}: ${what}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, attacker));
  return result;
}
