import { InvalidArgumentError, type Command } from 'commander';
import { untilStopRequested } from '../config/index.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../lib/errors.ts';
import { parseCrawlSeeds } from '../trust/index.ts';
import { wholeNumberFrom } from './arguments.ts';
import { define, withCore, type CliContext } from './context.ts';
import { readFile } from './read-text.ts';
import { warnOfBadSeeds } from './trust-seeds.ts';

const FILE_BYTES_MAX = 16 * 1024 * 1024;
const SITES_MAX = 100_000;
const HOUR_MS = 3_600_000;
const EVERY_HOURS = 24;

interface Options {
  every: number;
  webhook?: string;
}

export function trustWatch(trust: Command, context: CliContext): void {
  define(trust, 'watch', 'read sites at intervals, and print what changed', [
    'zastava trust watch sites.txt --every 6',
    'zastava trust watch sites.txt --webhook https://hooks.example.com/zastava',
  ])
    .argument('<file>', 'sites, one per line; - reads standard input')
    .option('--every <hours>', 'between two readings of a site', wholeNumberFrom(1), EVERY_HOURS)
    .option('--webhook <url>', 'sends each event there, too, signed', webAddress)
    .addHelpText(
      'after',
      `
Each change of title, parking, language, working, score or colour is a line of JSON. SIGTERM or Ctrl-C
ends the watch when the readings under way have ended; the next one goes on. ZASTAVA_WATCH_SECRET signs.`,
    )
    .action((file: string, options: Options) => run(context, file, options));
}

function webAddress(text: string): string {
  const { protocol = '' } = URL.parse(text) ?? {};
  if (protocol === 'https:' || protocol === 'http:') return text;
  throw new InvalidArgumentError('give an http or https address');
}

async function run(context: CliContext, file: string, { every, webhook }: Options): Promise<void> {
  const { output, terminal } = context;
  const { domains, ...bad } = parseCrawlSeeds(await readFile(file, FILE_BYTES_MAX, terminal));
  await warnOfBadSeeds(output, file, bad);
  if (domains.length > SITES_MAX) {
    throw new DomainError(
      'invalid_request',
      `a watch has at most ${SITES_MAX} sites: split the file`,
    );
  }
  const work = async ({ trust, config }: Core) => {
    const secret = config.watchSecret;
    if (webhook !== undefined && secret === undefined) {
      const message = 'a webhook is signed: set ZASTAVA_WATCH_SECRET, and give it to the receiver';
      throw new DomainError('invalid_request', message);
    }
    await output.note(
      `${domains.length === 1 ? '1 site is' : `${domains.length} sites are`} read every ${every} h`,
    );
    await untilStopRequested((signal) =>
      trust.watch({
        domains,
        everyMs: every * HOUR_MS,
        ...(webhook !== undefined && secret !== undefined && { webhook: { url: webhook, secret } }),
        signal,
        onEvent: (line) => output.raw(`${line}\n`),
        onProblem: (message) => output.warn(message),
      }),
    );
  };
  await withCore(context, work, { mayBegin: true });
}
