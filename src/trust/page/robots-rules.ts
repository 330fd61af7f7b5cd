import { matchesWildcards } from '../../lib/wildcard.ts';
import { PRODUCT_TOKEN } from './guarded-fetch.ts';

/** Characters of a line that are read. */
const LINE_CHARACTERS_MAX = 16_384;
/** Characters of a path that rules are matched against. */
const PATH_CHARACTERS_MAX = 2_048;

interface Rule {
  allow: boolean;
  /** Octets of the pattern: the longest matching rule wins. */
  length: number;
  /** The literal text between the wildcards. */
  segments: readonly string[];
  /** The pattern ends in `$`. */
  anchored: boolean;
}

/** The rules of robots.txt for our crawler. */
export interface RobotsRules {
  rules: readonly Rule[];
  /** Not part of RFC 9309, but widely used. */
  crawlDelaySeconds: number | null;
  /** Estimated memory of the rules, for the cache. */
  bytes: number;
}

export const ALLOW_ALL: RobotsRules = { rules: [], crawlDelaySeconds: null, bytes: 0 };

interface Group {
  found: boolean;
  rules: Rule[];
  crawlDelaySeconds: number | null;
}

/**
 * Parses robots.txt by RFC 9309 and with the leniencies of Google's parser: the groups that name us, or else those for
 * `*`, merged. Takes time linear in the text. The time of the usual library is the product of the numbers of user
 * agents, rules and wildcards, and this file may come from a hostile server.
 * @param token our product token
 */
export function parseRobots(text: string, token: string): RobotsRules {
  const wanted = token.toLowerCase();
  const ours: Group = { found: false, rules: [], crawlDelaySeconds: null };
  const all: Group = { found: false, rules: [], crawlDelaySeconds: null };
  let open = new Set<Group>();
  let isNaming = false;
  for (const line of text.split(/[\r\n]+/)) {
    const field = fieldOf(line);
    if (field === null) continue;
    const [name, value] = field;
    if (name === 'user-agent') {
      if (!isNaming) open = new Set();
      isNaming = true;
      const group = /^\*(?:\s|$)/.test(value) ? all : tokenOf(value) === wanted ? ours : undefined;
      if (group) open.add(group);
    } else if (name === 'allow' || name === 'disallow' || name === 'crawl-delay') {
      isNaming = false;
      for (const group of open) addTo(group, name, value);
    }
    for (const group of open) group.found = true;
  }
  const { rules, crawlDelaySeconds } = ours.found ? ours : all;
  return { rules, crawlDelaySeconds, bytes: rules.reduce((sum, rule) => sum + bytesOf(rule), 0) };
}

/** Whether the rules allow a URL. The longest matching rule wins; of two equally long ones, the one that allows. */
export function isAllowed({ rules }: RobotsRules, url: URL): boolean {
  const path = normalised(`${url.pathname}${url.search}`.slice(0, PATH_CHARACTERS_MAX));
  let best: Rule | undefined;
  for (const rule of rules) {
    const longer = !best || rule.length > best.length;
    const wins = longer || (rule.length === best?.length && rule.allow);
    if (wins && matchesWildcards(rule.segments, path, rule.anchored)) best = rule;
  }
  return best?.allow ?? true;
}

/** An estimate: an object or a short string takes tens of bytes besides its content. */
function bytesOf({ length, segments }: Rule): number {
  return 128 + 64 * segments.length + length;
}

function fieldOf(line: string): [name: string, value: string] | null {
  const hash = line.indexOf('#');
  const content = line.slice(
    0,
    hash < 0 ? LINE_CHARACTERS_MAX : Math.min(hash, LINE_CHARACTERS_MAX),
  );
  const colon = content.indexOf(':');
  if (colon >= 0) return [nameOf(content.slice(0, colon)), content.slice(colon + 1).trim()];
  // Some authors forget the colon; then the line has exactly two words.
  const [name = '', value, ...rest] = content.trim().split(/[ \t]+/);
  return value === undefined || rest.length > 0 ? null : [nameOf(name), value];
}

/**
 * The field that a name means: like Google's parser, it accepts names that only begin with the field, and some frequent
 * mistakes.
 */
function nameOf(text: string): string {
  const name = text.trim().toLowerCase();
  if (/^user[- ]?agent/.test(name)) return 'user-agent';
  if (name.startsWith('allow')) return 'allow';
  if (/^(?:diss?all?ow|diasllow|disallaw)/.test(name)) return 'disallow';
  return name;
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
  // An empty rule has no effect: `Disallow:` allows everything.
  if (value === '') return;
  group.rules.push(ruleOf(value, name === 'allow'));
  // An author who allows `/a/index.html` means `/a/`.
  const index = /^(.*\/)index\.htm[^/]*$/.exec(value)?.[1];
  if (name === 'allow' && index !== undefined) group.rules.push(ruleOf(`${index}$`, true));
}

function ruleOf(value: string, allow: boolean): Rule {
  const pattern = normalised(value);
  const anchored = pattern.endsWith('$');
  const segments = (anchored ? pattern.slice(0, -1) : pattern).split(/\*+/);
  return { allow, length: pattern.length, segments, anchored };
}

/** One spelling for each octet (RFC 9309, 2.2.2): unreserved characters unchanged, the rest as `%XX`. */
function normalised(text: string): string {
  const encoded = text
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, (characters) => encodeURIComponent(characters));
  return encoded.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[a-z0-9._~-]/i.test(character) ? character : escape.toUpperCase();
  });
}

/** Rules that have a value after a colon; the text before any other colon is the name of a robot. */
const WITH_VALUE: ReadonlySet<string> = new Set(
  'unavailable_after,max-snippet,max-image-preview,max-video-preview'.split(','),
);
/** The form of a robot's name. The times of dates have colons too, but match no name. */
const ROBOT = /^[a-z][a-z0-9._-]*$/;
const OURS = PRODUCT_TOKEN.toLowerCase();

/**
 * The rules of an X-Robots-Tag header that apply to all robots or to us, separated by commas. A robot's name before a
 * rule (`otherbot: noindex, nofollow`) also applies to the rules after it, up to the next name.
 */
export function robotsHeaderForUs(header: string): string {
  let isForUs = true;
  const rules: string[] = [];
  for (const part of header.toLowerCase().split(',')) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(0, colon)).trim();
    const isNamed = ROBOT.test(name) && !WITH_VALUE.has(name);
    if (isNamed) isForUs = name === OURS;
    if (isForUs) rules.push(isNamed ? part.slice(colon + 1) : part);
  }
  return rules.join(',');
}
