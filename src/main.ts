/** The process: passes its environment and arguments to the command line, and ends with its exit code. */
import packageFile from '../package.json' with { type: 'json' };
import { runCommandLine } from './cli/run.ts';
import { systemTerminal } from './cli/terminal.ts';

const exitCode = await runCommandLine(
  { version: packageFile.version, terminal: systemTerminal, env: process.env },
  process.argv.slice(2),
);
// Without this, a silent database or image store would keep the process alive for minutes.
process.exit(exitCode);
