import { domainToUnicode } from 'node:url';
import type { Command } from 'commander';
import type { Core } from '../core.ts';
import { DomainError } from '../lib/errors.ts';
import {
  legacyTitle,
  pointsOfXt,
  sentenceOf,
  trustRecordJson,
  type TrustCheck,
  type TrustRecord,
} from '../trust/index.ts';
import { define, withCore, type CliContext } from './context.ts';
import type { Output } from './output.ts';
import { pairs, printable } from './table.ts';

const STDIN_BYTES_MAX = 64 * 1024 * 1024;
const AT_ONCE = 16;
/** Characters of an address that its refusal repeats. */
const ADDRESS_SHOWN_MAX = 200;

interface Address {
  url: string;
  /** In standard input. */
  line?: number;
}

export function trustCheck(trust: Command, context: CliContext): void {
  define(trust, 'check', 'check web addresses, and say why', [
    'zastava trust check example.com',
    'zastava trust check --offline --json - <domains.txt',
  ])
    .argument('<urls...>', 'addresses; - reads them from standard input, one a line')
    .option('--offline', 'use only the release and the stored pages; fetch nothing')
    .action((urls: string[], options: { offline?: true }) => run(context, urls, options));
}

async function run(
  context: CliContext,
  urls: string[],
  { offline = false }: { offline?: boolean },
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
          await output.data(trustRecordJson(answer), gap + report(answer));
        }
      }
    }
  };
  await withCore(context, work, { mayBegin: true });
}

/** With --json a line among the records, as in `/trust/bulk/`: every address has one. */
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

function report(record: TrustRecord): string {
  const { domain, xt, spam, colour, confidence, release, formula } = record;
  const unicode = domainToUnicode(domain);
  // Without control characters, which could move the cursor.
  const title = legacyTitle(record.title);
  const facts = pairs({
    domain: unicode === domain ? domain : `${unicode} (${domain})`,
    xt: `${xt.toFixed(1)} of 10 (${colour}), confidence ${confidence}`,
    spam: `${spam} %`,
    title: title === '' ? '-' : title,
    works: record.workability,
    donors: String(record.donors),
    acceptors: String(record.acceptors),
    graph: release === null ? 'no release is loaded' : `${release}, formula ${formula}`,
    ...(record.base && { 'whole web': wholeWeb(record.base) }),
  });
  const sections = [
    facts,
    list('why', record.reasons.map(sentenceOf)),
    list(
      'trust comes from',
      record.topDonors.map((donor) => `${donor.domain} (${(donor.share * 100).toFixed(1)} %)`),
    ),
    list(
      'history',
      pointsOfXt(record.history).map(
        (point) => `${point.date}: ${point.xt.toFixed(1)} (${point.cause})`,
      ),
    ),
  ];
  return sections.filter((section) => section !== '').join('\n');
}

/** What the base knows, on one line. */
function wholeWeb({ release, institutionDonors, ...base }: NonNullable<TrustRecord['base']>) {
  const before = base.before && ` (${base.before.donors} in ${base.before.release})`;
  const donors = `${base.donors} donors${before ?? ''}`;
  const seen = base.firstSeen === null ? 'never seen' : `first seen in ${base.firstSeen}`;
  return `${release}: ${donors}, ${institutionDonors} of them institutions, ${seen}`;
}

function list(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`${heading}:`, ...lines.map((line) => `  ${line}`)].join('\n');
}
