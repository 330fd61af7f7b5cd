import { domainToUnicode } from 'node:url';
import { domainOfHost } from '../identity.ts';
import {
  OWN_NAME,
  parkedMessages,
  placeholderHeading,
  plainLetters,
  untouchedServer,
} from './parked-messages.ts';
import {
  isMarket,
  isParkingCode,
  isParkingNetwork,
  isParkingScript,
  isRegistrar,
  placeholderPath,
  sendsToLander,
} from './parked-services.ts';

/** Signs that weigh so much together make a page parked. */
const PARKED_FROM = 2;
/** Below this many characters of visible text a page is tiny. */
const TINY_TEXT_CHARACTERS = 100;
/** The beginning of the text, where a placeholder has its message. */
const PROMINENT_CHARACTERS = 300;
/** Entries of a directory that nobody has filled. */
const EMPTY_DIRECTORY_ENTRIES = 2;
/** Quoted sentences are what others say. */
const QUOTED = /[«“„"]([^«»“”„"]{12,300})[»”“"]/g;

const PARKING_HOST = /^(?:parking|parked|expired|forsale|lander|parkingpage)\./;

/** Where the signs of a parked page are looked for. */
export interface ParkedEvidence {
  /** Registrable domains of the requested address and of the last one, in that order; null: an address without one. */
  requested: string | null;
  domain: string | null;
  /** The last address. */
  url: URL;
  /** Hosts that redirects and the refresh led to, the last one included. */
  passed: readonly string[];
  /** Addresses of scripts, frames and style sheets, with their registrable domains. */
  loaded: ReadonlyMap<string, string | null>;
  title: string;
  /** First and second headings. */
  headings: readonly string[];
  text: string;
  textCharacters: number;
  scriptText: string;
  hasScripts: boolean;
  /** A mark of the page's code that only parked pages have. */
  hasParkingMark: boolean;
  /** There is a link to write or to call. */
  hasContact: boolean;
  /** Registrable domains linked to. */
  linked: readonly string[];
  /** Paths of this site that are linked to, other than the home page. */
  ownPaths: number;
}

export interface ParkedSign {
  sign: string;
  weight: number;
}

/** Whether a page is a placeholder of a domain without a site of its own. */
export function isParked(evidence: ParkedEvidence): boolean {
  return parkedSigns(evidence).reduce((sum, { weight }) => sum + weight, 0) >= PARKED_FROM;
}

/**
 * The signs for and against a placeholder, with their weights. One strong sign is enough on a page with little content;
 * content of a site's own outweighs it. The weights were set on the pages of `tests/fixtures/parked-pages/fitting`, so
 * that no honest one is parked.
 */
export function parkedSigns(evidence: ParkedEvidence): ParkedSign[] {
  const title = normalised(evidence.title, evidence);
  const headings = evidence.headings.map((heading) => normalised(heading, evidence));
  const signs: [sign: string, weight: number][] = [
    ['code of a parking network', hasCode(evidence) ? 3 : 0],
    ['moved to a market', isMoved(evidence) ? 3 : 0],
    ['message', messageWeight(evidence, title, headings)],
    ['untouched server', isUntouched(evidence) ? 4 : 0],
    [
      'placeholder heading',
      [title, ...headings].some((one) => placeholderHeading.test(one)) ? 1 : 0,
    ],
    ['placeholder address', isPlaceholderAddress(evidence) ? 1 : 0],
    ['title is the name', title.replace(/^www\./, '').trim() === OWN_NAME ? 1 : 0],
    ['only links to registrars', linksToRegistrars(evidence) ? 1 : 0],
    // A page that scripts fill in looks empty to us, whatever it shows.
    ['tiny', isTiny(evidence) ? 1 : 0],
    ['content', -contentWeight(evidence)],
  ];
  return signs.filter(([, weight]) => weight !== 0).map(([sign, weight]) => ({ sign, weight }));
}

function hasCode(evidence: ParkedEvidence): boolean {
  const { domain, loaded, scriptText, hasParkingMark, textCharacters } = evidence;
  if (domain !== null && (isMarket(domain) || isParkingNetwork(domain))) return false;
  if (hasParkingMark || isParkingScript(scriptText)) return true;
  if (textCharacters < TINY_TEXT_CHARACTERS && sendsToLander.test(scriptText)) return true;
  return [...loaded].some(
    ([address, from]) => isParkingCode(address) || (from !== null && isParkingNetwork(from)),
  );
}

/** A market's own home page is not parked. */
function isMoved({ requested, passed, loaded }: ParkedEvidence): boolean {
  if (requested !== null && isMarket(requested)) return false;
  const isForeign = (domain: string | null): domain is string =>
    domain !== null && domain !== requested;
  const isAway = (host: string): boolean => {
    const domain = domainOfHost(host);
    // A registrar shows its placeholders on a host of its own; a site's own `parking.` is about cars.
    return (
      isForeign(domain) && (isMarket(domain) || isParkingNetwork(domain) || PARKING_HOST.test(host))
    );
  };
  return passed.some(isAway) || [...loaded.values()].some((one) => isForeign(one) && isMarket(one));
}

function messageWeight(evidence: ParkedEvidence, title: string, headings: string[]): number {
  const body = normalised(evidence.text, evidence);
  const isProminent = [title, ...headings, body.slice(0, PROMINENT_CHARACTERS)].some(says);
  if (isProminent) return says(title) ? 2.5 : 2;
  return says(body) ? 1 : 0;
}

function says(part: string): boolean {
  return parkedMessages.some((message) => message.test(part));
}

/** Lower case, with the site's names replaced and without quotations. */
function normalised(text: string, { requested, domain }: ParkedEvidence): string {
  let normal = plainLetters(text);
  for (const name of [requested, domain]) {
    if (name === null) continue;
    for (const spelling of new Set([name, plainLetters(domainToUnicode(name))])) {
      normal = normal.replaceAll(`www.${spelling}`, OWN_NAME).replaceAll(spelling, OWN_NAME);
    }
  }
  return normal.replace(QUOTED, (all, inner: string) => (inner.includes(' ') ? ' ' : all)).trim();
}

function isUntouched({ title, headings, ownPaths }: ParkedEvidence): boolean {
  const whole = plainLetters(title || (headings[0] ?? ''));
  if (/^(?:index of|directory listing for) \/$/.test(whole)) {
    return ownPaths <= EMPTY_DIRECTORY_ENTRIES;
  }
  return untouchedServer.test(whole);
}

/** The numbered host to which a parking network redirects (`ww25.example.com`), or the path of a placeholder. */
function isPlaceholderAddress({ url, domain }: ParkedEvidence): boolean {
  const isNumbered = domain !== null && /^ww\d+$/.test(url.hostname.slice(0, -domain.length - 1));
  return isNumbered || placeholderPath.test(url.pathname);
}

function linksToRegistrars({ domain, linked, ownPaths }: ParkedEvidence): boolean {
  if (ownPaths > 0) return false;
  if (domain === null || isRegistrar(domain) || isMarket(domain)) return false;
  return linked.length > 0 && linked.every((one) => isRegistrar(one) || isMarket(one));
}

function isTiny({ textCharacters, hasScripts, hasContact, ownPaths }: ParkedEvidence): boolean {
  return textCharacters < TINY_TEXT_CHARACTERS && !hasScripts && !hasContact && ownPaths === 0;
}

/** Content of a site's own: text, pages, somebody to write to. */
function contentWeight({ textCharacters, ownPaths, linked, hasContact }: ParkedEvidence): number {
  const text = step(textCharacters, [800, 1_500, 3_000]);
  const pages = step(ownPaths, [3, 8, 20]);
  const elsewhere = linked.some((one) => !isRegistrar(one) && !isMarket(one)) ? 0.5 : 0;
  return Math.min(3.5, text + pages + elsewhere + (hasContact ? 0.5 : 0));
}

/** How many of the bounds a number reaches. */
function step(value: number, bounds: readonly number[]): number {
  return bounds.filter((bound) => value >= bound).length;
}
