import type { Command } from 'commander';
import { define, type CliContext } from './context.ts';
import { shellWord } from './shell.ts';
import type { Served } from './parts.ts';

export function serveCommand(program: Command, context: CliContext): void {
  define(program, 'serve', 'serve until SIGTERM or SIGINT', [
    'zastava serve',
    'ZASTAVA_PORT=9000 ZASTAVA_DATA_DIR=/var/lib/zastava zastava serve',
  ]).action(() =>
    context.serve(async (served) => {
      await context.output.data(toJson(served), toText(served));
    }),
  );
}

function toJson({ url, firstAdmin }: Served) {
  return {
    listening: url,
    ...(firstAdmin && {
      first_admin: { login: firstAdmin.login, password: firstAdmin.password ?? null },
    }),
  };
}

function toText({ url, firstAdmin }: Served): string {
  return [...firstAdminLines(url, firstAdmin), `listening on ${url}`].join('\n');
}

function firstAdminLines(url: string, firstAdmin: Served['firstAdmin']): string[] {
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
