/** Properties that an answer to bad input must never have. */

/** Traces of our internals: a stack, a source file, a message of a library. */
const insides =
  /\bat [^ ]*[( ][^ ]+:\d+:\d+|node_modules|\/src\/|\.ts:\d+|SQLITE_|SQLiteError|PostgresError|syntax error at|violates .* constraint|TypeError|ReferenceError|ZodError|\bundefined is not\b/;
/** The runtime's answer to an HTTP version that does not exist, which is the only right one. */
const WRONG_VERSION = 505;
const isJson = (type: string) => type.startsWith('application/json');

/** @returns the problems of the answer; empty if anyone may see it */
export function wrongIn(status: number, type: string, text: string): string[] {
  const wrong: string[] = [];
  if (status >= 500 && status !== WRONG_VERSION)
    wrong.push(`answered ${status} ${text.slice(0, 200)}`);
  const found = insides.exec(text);
  if (found && !type.includes('javascript')) wrong.push(`shows "${found[0]}"`);
  if (isJson(type) && text !== '' && !parses(text)) wrong.push(`no JSON: ${text.slice(0, 100)}`);
  return wrong;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
