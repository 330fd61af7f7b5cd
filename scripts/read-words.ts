/** The words behind a command of this checkout, such as `npm run bench -- s1`. */
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** `--help` prints the usage and ends with 0; an unknown option, or a word where none is taken, ends with 2. */
export function readWords<const Options extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  options: Options,
  allowPositionals = true,
) {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals });
    return { values, positionals: positionals as string[] };
  } catch (error) {
    return refuse(usage, error instanceof Error ? error.message : String(error));
  }
}

/** Says what is wrong and what would be right, and ends with 2. */
export function refuse(usage: string, problem: string): never {
  console.error(`${problem}\n\n${usage}`);
  process.exit(2);
}
