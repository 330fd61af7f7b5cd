/** Runs all checks of the sources, even when some fail. */
import { join, resolve } from 'node:path';
import { readWords } from './read-words.ts';

readWords('npm run check   runs all checks of the sources; takes no words', {}, false);

const root = resolve(import.meta.dir, '..');
const bun = process.execPath;

/** Runs a tool with the runtime of this checkout, regardless of the machine's Node. */
function tool(path: string, ...args: string[]): string[] {
  return [bun, '--bun', join(root, 'node_modules', path), ...args];
}

const cached = ['--cache', '--cache-strategy=content'];

const checks: Record<string, string[]> = {
  // Its cache is in node_modules, so that a clean install reads all files.
  format: tool('prettier/bin/prettier.cjs', '--check', '--log-level=warn', ...cached, '.'),
  lint: tool('oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
  types: tool('typescript/bin/tsc'),
  "the page's types": tool('typescript/bin/tsc', '-p', 'web'),
  imports: [bun, 'scripts/check-imports.ts'],
  'dead code': tool('knip/bin/knip.js', '--no-progress'),
  // Sources that only tests, benchmarks or scripts use are dead code of the product.
  'dead in production': tool('knip/bin/knip.js', '--no-progress', '--production'),
  'generated files': [bun, 'scripts/generate.ts', '--check'],
};

/** Commands that fix a failed check. */
const remedies: Record<string, string> = {
  format: 'npm run format',
  'generated files': 'npm run generate',
};

interface Outcome {
  check: string;
  passed: boolean;
  seconds: string;
}

async function outcomeOf(check: string, command: string[]): Promise<Outcome> {
  const start = performance.now();
  const run = Bun.spawn(command, { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [out, err, code] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ]);
  // At once, so that the lines of two checks do not mix.
  process.stdout.write(`— ${check}\n${out}${err}`);
  return {
    check,
    passed: code === 0,
    seconds: ((performance.now() - start) / 1000).toFixed(1),
  };
}

// Formatting has one thread and takes as long as all others, so that these run beside it.
const { format = [], ...others } = checks;
const formatted = outcomeOf('format', format);
const outcomes: Outcome[] = [];
for (const [check, command] of Object.entries(others)) {
  outcomes.push(await outcomeOf(check, command));
}
outcomes.push(await formatted);

console.log();
for (const { check, passed, seconds } of outcomes) {
  const remedy = passed ? undefined : remedies[check];
  const hint = remedy === undefined ? '' : `  run: ${remedy}`;
  console.log(
    `${passed ? 'passed' : 'FAILED'}  ${check.padEnd(18)} ${seconds.padStart(6)} s${hint}`,
  );
}
process.exit(outcomes.every((outcome) => outcome.passed) ? 0 : 1);
