import { matchesWildcards } from '../../lib/wildcard.ts';
import { ROBOTS_PATH_CHARACTERS_MAX } from './limits.ts';

interface Rule {
  allow: boolean;
  /** Octets of the pattern, by which the more specific rule wins. */
  length: number;
  /** The literal text between the wildcards. */
  segments: readonly string[];
  /** The pattern ends in `$`. */
  anchored: boolean;
}

/** What robots.txt says to one crawler. */
export interface RobotsRules {
  rules: readonly Rule[];
  /** Not part of RFC 9309, but asked for by many. */
  crawlDelaySeconds: number | null;
  /** About what the rules take in memory, for the cache. */
  bytes: number;
}

export const ALLOW_ALL: RobotsRules = { rules: [], crawlDelaySeconds: null, bytes: 0 };

interface Group {
  found: boolean;
  rules: Rule[];
  crawlDelaySeconds: number | null;
}

/**
 * Reads robots.txt as RFC 9309 says: the groups that name us, or else those for all (`*`), merged.
 * Our own, since what the usual library does with thousands of user agents and rules, or of wildcards,
 * grows with their product, and a hostile server writes this file. Linear in the text here.
 * @param token our product token
 */
export function parseRobots(text: string, token: string): RobotsRules {
  const wanted = token.toLowerCase();
  const ours: Group = { found: false, rules: [], crawlDelaySeconds: null };
  const all: Group = { found: false, rules: [], crawlDelaySeconds: null };
  let open = new Set<Group>();
  let naming = false;
  for (const line of text.split(/[\r\n]+/)) {
    const field = fieldOf(line);
    if (field === null) continue;
    const [name, value] = field;
    if (name === 'user-agent') {
      if (!naming) open = new Set();
      naming = true;
      const group = value === '*' ? all : tokenOf(value) === wanted ? ours : undefined;
      if (group) open.add(group);
    } else if (name === 'allow' || name === 'disallow' || name === 'crawl-delay') {
      naming = false;
      for (const group of open) addTo(group, name, value);
    }
    for (const group of open) group.found = true;
  }
  const { rules, crawlDelaySeconds } = ours.found ? ours : all;
  return { rules, crawlDelaySeconds, bytes: rules.reduce((sum, rule) => sum + bytesOf(rule), 0) };
}

/** Whether the rules allow a URL: the longest rule that matches wins, and on a tie the one that allows. */
export function isAllowed({ rules }: RobotsRules, url: URL): boolean {
  const path = normalised(`${url.pathname}${url.search}`.slice(0, ROBOTS_PATH_CHARACTERS_MAX));
  let best: Rule | undefined;
  for (const rule of rules) {
    const longer = !best || rule.length > best.length;
    const wins = longer || (rule.length === best?.length && rule.allow);
    if (wins && matchesWildcards(rule.segments, path, rule.anchored)) best = rule;
  }
  return best?.allow ?? true;
}

/** An estimate: an object or a short string takes tens of bytes before its content. */
function bytesOf({ length, segments }: Rule): number {
  return 128 + 64 * segments.length + length;
}

function fieldOf(line: string): [name: string, value: string] | null {
  const hash = line.indexOf('#');
  const content = hash < 0 ? line : line.slice(0, hash);
  const colon = content.indexOf(':');
  if (colon < 0) return null;
  return [content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()];
}

/** `ZastavaBot/1.0` names the product token ZastavaBot. */
function tokenOf(value: string): string {
  return /^[a-z_-]*/i.exec(value)?.[0].toLowerCase() ?? '';
}

function addTo(group: Group, name: 'allow' | 'disallow' | 'crawl-delay', value: string): void {
  if (name === 'crawl-delay') {
    const seconds = value === '' ? NaN : Number(value);
    if (seconds >= 0) group.crawlDelaySeconds = seconds;
    return;
  }
  // An empty rule says nothing: `Disallow:` allows all.
  if (value !== '') group.rules.push(ruleOf(value, name === 'allow'));
}

function ruleOf(value: string, allow: boolean): Rule {
  const pattern = normalised(value);
  const anchored = pattern.endsWith('$');
  const segments = (anchored ? pattern.slice(0, -1) : pattern).split(/\*+/);
  return { allow, length: pattern.length, segments, anchored };
}

/** One spelling for each octet (RFC 9309, 2.2.2): the letters and digits bare, the rest in `%XX`. */
function normalised(text: string): string {
  const encoded = text
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, (characters) => encodeURIComponent(characters));
  return encoded.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[a-z0-9._~-]/i.test(character) ? character : escape.toUpperCase();
  });
}
