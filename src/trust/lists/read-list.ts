import { CsvError, readCsv } from '../../lib/csv.ts';
import { DomainError } from '../../lib/errors.ts';
import {
  ADBLOCK_RULE,
  columnOf,
  formatOf,
  HOSTS_LINE,
  TRANCO_LINE,
  type ListFormat,
} from './formats.ts';
import { SiteCollector, type ListedSites } from './sites.ts';

/**
 * Reads a list of sites. A line that is neither empty nor a comment either names a site or is reported as bad.
 * @param format undefined: recognised
 * @throws DomainError `invalid_request` for CSV that is broken, or has no column of domains
 */
export async function readList(
  text: string,
  format: ListFormat = formatOf(text),
): Promise<ListedSites & { format: ListFormat }> {
  const sites = new SiteCollector();
  if (format === 'csv') await readRecords(text, sites);
  else eachLine(text, lineReaders[format], sites);
  return { ...sites.sites, format };
}

/** Reads one domain or URL in each line; `#` begins a comment. */
export function readLines(text: string): ListedSites {
  const sites = new SiteCollector();
  eachLine(text, lineReaders.lines, sites);
  return sites.sites;
}

/** @param text a line without its white space */
type LineReader = (sites: SiteCollector, line: number, text: string) => void;

function eachLine(text: string, read: LineReader, sites: SiteCollector): void {
  text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .forEach((raw, index) => {
      const line = raw.trim();
      if (line !== '') read(sites, index + 1, line);
    });
}

const lineReaders: Record<Exclude<ListFormat, 'csv'>, LineReader> = {
  lines(sites, line, text) {
    const address = text.replace(/(?:^|\s)#.*$/, '');
    if (address !== '') sites.addSiteOf(line, text, address);
  },

  hosts(sites, line, text) {
    const entry = text.replace(/#.*$/, '').trim();
    if (entry === '') return;
    const names = HOSTS_LINE.exec(entry)?.[1]?.split(/\s+/);
    if (!names) sites.refuse(line, text, 'not "address name", such as "0.0.0.0 example.com"');
    else for (const name of names) if (!LOCAL.test(name)) sites.addWhole(line, text, name);
  },

  adblock(sites, line, text) {
    if (/^(?:!|\[Adblock|# |#$)/i.test(text)) return;
    const [, exception, name, options = ''] = ADBLOCK_RULE.exec(text) ?? [];
    const isWhole = options.split(',').every((option) => WHOLE_OPTIONS.has(option.toLowerCase()));
    if (name === undefined) sites.refuse(line, text, 'not a rule for a domain: "||example.com^"');
    else if (exception) sites.refuse(line, text, 'an exception from the rules');
    else if (!isWhole) sites.refuse(line, text, 'a rule for some requests only');
    else sites.addWhole(line, text, name);
  },

  tranco(sites, line, text) {
    const name = TRANCO_LINE.exec(text)?.[1];
    if (text.startsWith('#')) return;
    if (name === undefined) sites.refuse(line, text, 'not "rank,domain", such as "1,example.com"');
    else sites.addWhole(line, text, name);
  },
};

/** Names in hosts files for the machine itself and its network. */
const LOCAL = /^(?:0\.0\.0\.0|local|localhost(?:\.localdomain|4|6)?|broadcasthost|ip6-[a-z]+)$/i;

/** Options with which a rule still applies to the whole domain. */
const WHOLE_OPTIONS = new Set(['', 'all', 'doc', 'document', 'important', 'popup']);
for (const party of ['third-party', '3p']) WHOLE_OPTIONS.add(party);

async function readRecords(text: string, sites: SiteCollector): Promise<void> {
  let column = -1;
  try {
    for await (const records of readCsv([text])) {
      for (const { line, fields } of records) {
        if (column < 0) column = columnIn(fields);
        else if (!isComment(fields)) readRecord(sites, line, fields, column);
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new DomainError('invalid_request', `the list is not CSV: ${error.message}`);
  }
}

/** @returns −1 for a comment before the header */
function columnIn(header: readonly string[]): number {
  const column = columnOf(header);
  if (column >= 0 || isComment(header)) return column;
  const message = 'the first line of the list names no column "domain", "host", "site" or "url"';
  throw new DomainError('invalid_request', message);
}

function isComment([first = '']: readonly string[]): boolean {
  return first.trimStart().startsWith('#');
}

function readRecord(
  sites: SiteCollector,
  line: number,
  fields: readonly string[],
  column: number,
): void {
  const name = fields[column]?.trim() ?? '';
  if (name === '') sites.refuse(line, fields.join(','), 'no domain in its column');
  else sites.addWhole(line, fields.join(','), name);
}
