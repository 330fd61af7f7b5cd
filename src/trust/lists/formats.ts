import { delimiterOf } from '../../lib/csv.ts';

/**
 * The formats of lists: one domain in each line, hosts files, rules of AdBlock, CSV with a column of domains, and
 * Tranco's ranking.
 */
export const listFormats = ['lines', 'hosts', 'adblock', 'csv', 'tranco'] as const;
export type ListFormat = (typeof listFormats)[number];

/** How many characters of a list are used to recognise its format. */
const HEAD_CHARACTERS = 64 * 1024;

/** `0.0.0.0 example.com` */
export const HOSTS_LINE = /^\s*(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*::?[\da-f:.%]*\w*)[ \t]+(.+)$/i;
/** `||example.com^$third-party`, and exceptions of the same form. */
export const ADBLOCK_RULE = /^(@@)?\|\|([^\s/^$|*]+)\^?(?:\$(.+))?$/;
/** `1,example.com` */
export const TRANCO_LINE = /^\s*\d+,([^\s,"]+)\s*$/;

/** Names of a column of domains, the best first. */
const columnNames = 'domain,domain_name,domainname,registered_domain,root_domain,host,hostname';
const columns = `${columnNames},site,website,source_url,url`.split(',');

/** The position of the column of domains in a header; −1 without one. */
export function columnOf(header: readonly string[]): number {
  const names = header.map((name) =>
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  );
  const best = columns.find((column) => names.includes(column));
  return best === undefined ? -1 : names.indexOf(best);
}

/** The format of a list, according to most of its first lines. */
export function formatOf(text: string): ListFormat {
  const head = text.slice(0, HEAD_CHARACTERS).replace(/^\uFEFF/, '');
  if (/^\s*\[Adblock/i.test(head)) return 'adblock';
  const lines = head.split(/\r?\n/).filter((line) => !/^\s*(?:[#!]|$)/.test(line));
  const most = (form: RegExp): boolean =>
    lines.length > 0 && 2 * lines.filter((line) => form.test(line)).length > lines.length;
  if (most(TRANCO_LINE)) return 'tranco';
  if (most(HOSTS_LINE)) return 'hosts';
  if (most(/^(?:@@)?\|\||[^#]#@?\??#/)) return 'adblock';
  const [first = ''] = lines;
  return columnOf(fieldsOf(first)) >= 0 ? 'csv' : 'lines';
}

/** The fields of a header, in which nobody quotes a delimiter. */
function fieldsOf(line: string): string[] {
  return line.split(delimiterOf(line)).map((field) => field.replaceAll('"', ''));
}
