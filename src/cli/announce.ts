import { messageOf } from '../lib/errors.ts';
import type { Announced } from '../workers/index.ts';
import type { CliContext } from './context.ts';
import { shellWord } from './format.ts';
import { DISCARDED } from './output.ts';

/** A server continues to serve if nobody reads what it prints. */
export async function announce({ output }: CliContext, server: Announced): Promise<void> {
  const { listening: address, firstAdmin } = server;
  const warn = async (problem: string): Promise<void> => {
    const lost = `; the password of ${firstAdmin?.login} is lost: set another with zastava user password`;
    const listening = `listening on ${address}, but ${problem}`;
    await output
      .warn(firstAdmin?.password === undefined ? listening : listening + lost)
      .catch(() => undefined);
  };
  try {
    await output.data(toJson(server), toText(server));
  } catch (error) {
    return warn(`standard output can't be written: ${messageOf(error)}`);
  }
  // Services often run like this; only a lost password deserves a warning.
  if (output.isDiscarded && firstAdmin?.password !== undefined) await warn(DISCARDED);
}

function toJson({ listening, firstAdmin }: Announced) {
  return {
    listening,
    ...(firstAdmin && {
      first_admin: { login: firstAdmin.login, password: firstAdmin.password ?? null },
    }),
  };
}

function toText({ listening, url, pageUrl, firstAdmin }: Announced): string {
  const lines = firstAdminLines(url, firstAdmin);
  if (firstAdmin && pageUrl !== undefined) lines.push(`web page: ${pageUrl}`);
  return [...lines, `listening on ${listening}`].join('\n');
}

function firstAdminLines(url: string, firstAdmin: Announced['firstAdmin']): string[] {
  if (!firstAdmin) return [];
  const { login, password } = firstAdmin;
  if (password === undefined)
    return ['first admin made, with the password given', `login: ${login}`];
  const body = JSON.stringify({ login, password });
  return [
    'first admin made, shown only this once',
    `login: ${login}`,
    `password: ${password}`,
    [
      `curl -s ${shellWord(`${url}/auth/login/`)}`,
      `-H 'Content-Type: application/json' -d ${shellWord(body)}`,
    ].join(' '),
  ];
}
