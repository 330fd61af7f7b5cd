import type { Command } from 'commander';
import type { Core } from '../core.ts';
import { DomainError } from '../lib/errors.ts';
import {
  trustRecordJson,
  type Language,
  type TrustCheck,
  type TrustRecord,
} from '../trust/index.ts';
import { define, withCore, type CliContext } from './context.ts';
import { languageOfTerminal, languageOption } from './language.ts';
import type { Output } from './output.ts';
import { printable } from './table.ts';
import { trustReport } from './trust-report.ts';

const STDIN_BYTES_MAX = 64 * 1024 * 1024;
const AT_ONCE = 16;
const ADDRESS_SHOWN_MAX = 200;

interface Options {
  offline?: boolean;
  lang?: Language;
}

interface Address {
  url: string;
  /** The line of standard input. */
  line?: number;
}

export function trustCheck(trust: Command, context: CliContext): void {
  define(trust, 'check', 'check web addresses, and say why', [
    'zastava trust check example.com',
    'zastava trust check --offline --json - <domains.txt',
  ])
    .argument('<urls...>', 'addresses; - reads them from standard input, one a line')
    .option('--offline', 'use only the release and the stored pages; fetch nothing')
    .addOption(languageOption('the sentences'))
    .action((urls: string[], options: Options) => run(context, urls, options));
}

async function run(
  context: CliContext,
  urls: string[],
  { offline = false, lang = languageOfTerminal(context.env) }: Options,
): Promise<void> {
  const { output, terminal } = context;
  const addresses: Address[] = urls.includes('-')
    ? linesOf(await terminal.readAll(STDIN_BYTES_MAX))
    : urls.map((url) => ({ url }));
  let printed = 0;
  const work = async ({ trust: { check, store } }: Core) => {
    const fault = store.currentFault();
    if (fault !== undefined) await output.warn(fault);
    for (let start = 0; start < addresses.length; start += AT_ONCE) {
      const group = addresses.slice(start, start + AT_ONCE);
      // Printed in the order of the addresses.
      const answers = await Promise.all(group.map(({ url }) => checkOne(check, url, offline)));
      for (const [index, answer] of answers.entries()) {
        if (answer instanceof DomainError) {
          context.exitCode = 1;
          await printRefusal(output, group[index] as Address, answer);
        } else {
          const gap = printed++ > 0 ? '\n' : '';
          await output.data(trustRecordJson(answer, lang), gap + trustReport(answer, lang));
        }
      }
    }
  };
  await withCore(context, work, { mayBegin: true });
}

/** With --json it is a line among the records, as in `/trust/bulk/`: every address has one. */
async function printRefusal(
  output: Output,
  { url, line }: Address,
  { code, message, details }: DomainError,
): Promise<void> {
  if (output.json) await output.raw(`${JSON.stringify({ url, error: code, message })}\n`);
  const place = line === undefined ? '' : `line ${line}: `;
  const shown = printable(url.slice(0, ADDRESS_SHOWN_MAX));
  const why = details[0]?.message ?? message;
  await output.error({ code, message: `${place}${shown}: ${why}` });
}

function linesOf(text: string): Address[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ url: line.trim(), line: index + 1 }))
    .filter(({ url }) => url !== '');
}

async function checkOne(
  check: TrustCheck,
  url: string,
  offline: boolean,
): Promise<TrustRecord | DomainError> {
  try {
    return await check.check(check.siteOf(url), { offline, patient: true });
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
