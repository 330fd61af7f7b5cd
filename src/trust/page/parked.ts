import { domainToUnicode } from 'node:url';
import { domainOfHost } from '../identity.ts';
import type { ParkedEvidence } from './parked-evidence.ts';
import { BLOCK_END } from './sample.ts';
import { saysOnlySoon } from './parked-construction.ts';
import { contentWeight, isBare, linksToSellers, sellersOf } from './parked-content.ts';
import { doubts, isLand, withoutDenials } from './parked-doubts.ts';
import { instructionsOf } from './parked-hosts.ts';
import {
  adsOfParking,
  OWN_NAME,
  parkedMessages,
  placeholderHeading,
  plainLetters,
  untouchedServer,
  untouchedTemplate,
} from './parked-messages.ts';
import {
  isMarket,
  isParkingCode,
  isParkingNetwork,
  isParkingScript,
  placeholderPath,
  sendsToLander,
} from './parked-services.ts';
import {
  hasOwnTalk,
  namesADomain,
  namesDomain,
  ownShare,
  saysWhyItIsThere,
  SHARE_MIN,
  shareOfTalk,
  speaksOfSale,
  talkWeight,
} from './parked-talk.ts';

/** Signs whose weights add up to this make a page parked. */
const PARKED_FROM = 2;
/** Below this many characters of visible text a page is tiny. */
const TINY_TEXT_CHARACTERS = 100;
/** A name, or a word or two. */
const NOTHING_CHARACTERS = 30;
/** A heading and the name. */
const ALONE_CHARACTERS = 60;
/** The beginning of the text, where a placeholder has its message. */
const PROMINENT_CHARACTERS = 300;
/** How many characters must be about the domain: a placeholder's message comes before its market's own text. */
const SHARED_CHARACTERS = 400;
/** The entries of a directory that nobody has filled. */
const EMPTY_DIRECTORY_ENTRIES = 2;
/** From these shares of other text on, a page under a placeholder's or a server's heading has its own content. */
const OWN_SHARE = 0.4;
const FOOTED_SHARE = 0.7;
const QUOTING_SHARE = 0.9;
const HOST_OF_NAME = new RegExp(`(?<![\\w.@/-])(?:[a-z0-9-]+\\.)+${OWN_NAME}`, 'g');
/** Quoted sentences are other people's words. */
const QUOTED = /[«“„"]([^«»“”„"]{12,300})[»”“"]/g;

/** What is shown to browsers without JavaScript is not what the page says. */
const ASKS_FOR_SCRIPTS = /[^.!?…|¶]{0,120}javascript[^.!?…|¶]{0,120}[.!?…]?/g;

/** The end of a block that is not only the name: a shop is called by it, and what it sells follows. */
const INNER_END = new RegExp(`(?<!(?:^|${BLOCK_END} )${OWN_NAME}) ${BLOCK_END}`, 'g');

const PARKING_HOST = /^(?:parking|parked|expired|forsale|lander|parkingpage)\./;

export interface ParkedSign {
  sign: string;
  weight: number;
}

/** Whether a page is a placeholder on a domain without a real site. */
export function isParked(evidence: ParkedEvidence): boolean {
  return parkedSigns(evidence).reduce((sum, { weight }) => sum + weight, 0) >= PARKED_FROM;
}

/**
 * The signs for and against a placeholder, with their weights. One strong sign is enough on a page with little content;
 * a site's own content outweighs it. The weights were fitted to the pages of `tests/fixtures/parked-pages/fitting`, so
 * that no honest page counts as parked.
 */
export function parkedSigns(evidence: ParkedEvidence): ParkedSign[] {
  const title = normalised(evidence.title, evidence);
  const headings = evidence.headings.map((heading) => normalised(heading, evidence));
  const blocks = normalised(evidence.text, evidence);
  const text = blocks.replaceAll(INNER_END, '');
  const message = messageWeight(evidence, title, headings, text, blocks);
  const [bare, ofOther] = [isBare(evidence), isOfOther(evidence)];
  const talk = talkWeight(title, blocks, { ownPaths: evidence.ownPaths, isBare: bare });
  const own = ownShare(restOf(headings, blocks).slice(0, SHARED_CHARACTERS), namesADomain(text));
  const untouched = untouchedWeight(evidence, own);
  const isPlaceholder = untouched > 0 || says(text) || saysWhyItIsThere(text);
  const isOffer = talk > 0 && !isPlaceholder;
  const sellers = sellersOf(evidence, `${title}. ${blocks}`);
  const isOfRegistrar = linksToSellers(evidence, sellers);
  const host = instructionsOf(`${title}. ${text}`);
  const isHosts = host.isReady && host.kinds >= 2;
  const isOnlySoon = evidence.ownPaths === 0 && saysOnlySoon(title, blocks, evidence.requested);
  const isOffered = isOfRegistrar || [title, ...headings].some(isOfferOfOwn);
  const isSale = talk > 0 && speaksOfSale(text);
  const spoken = Math.max(talk, message);
  const against = doubts({ ...evidence, title, headings, text, isOffer, isOffered, isHosts });
  const signs: [sign: string, weight: number][] = [
    ['code of a parking network', hasCode(evidence) ? 3 : 0],
    ['advertisements of a parking network', adsOfParking.test(text) ? 3 : 0],
    ['moved to a market', isMoved(evidence) ? 3 : 0],
    ['message', message],
    // If known sentences already say it, it counts once.
    ['talk of the domain alone', Math.max(0, talk - message)],
    ['a host to a new customer', Math.max(0, hostWeight(host) - spoken)],
    ['nothing but that it comes soon', isOnlySoon ? 2.5 : 0],
    // The page to which it leads, or to which its page links, is about this domain.
    ['named elsewhere', ofOther ? 2 : evidence.isNamedElsewhere ? 1 : 0],
    ...against,
    ['untouched server', untouched],
    ['placeholder heading', headingWeight(title, headings, blocks, { own, bare })],
    ['placeholder address', isPlaceholderAddress(evidence) ? 1 : 0],
    ['title is the name', nameWeight(title, headings)],
    ['only links to registrars', isOfRegistrar ? linkWeight(own) : 0],
    // A page that scripts fill in looks empty to us, whatever it shows to readers.
    ['tiny', isTiny(evidence, headings, blocks) ? 1 : 0],
    [
      'content',
      ofOther
        ? 0
        : -contentWeight(evidence, { title, own, sellers, isHosts, isSale, talk: spoken }),
    ],
  ];
  return signs.filter(([, weight]) => weight !== 0).map(([sign, weight]) => ({ sign, weight }));
}

/** A site may name its host at its foot. */
const linkWeight = (own: number): number => (own > FOOTED_SHARE ? 0.5 : 1);

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
    // A registrar shows its placeholders on its own host; on a normal site, `parking.` is about cars.
    return (
      isForeign(domain) && (isMarket(domain) || isParkingNetwork(domain) || PARKING_HOST.test(host))
    );
  };
  return passed.some(isAway) || [...loaded.values()].some((one) => isForeign(one) && isMarket(one));
}

/** The page is another site's page about the domain: its content belongs to that site. */
function isOfOther({ requested, domain, url }: ParkedEvidence): boolean {
  return requested !== null && domain !== requested && namesDomain(url, requested);
}

const isName = (text: string | undefined): boolean => text?.replace(/^www\./, '') === OWN_NAME;

/** A title or a first heading that is only the name. */
function nameWeight(title: string, headings: readonly string[]): number {
  if (isName(title)) return headings.some(isOwnHeading) ? 0.5 : 1;
  return isName(headings[0]) ? 0.5 : 0;
}

/** A heading about something other than a domain. */
function isOwnHeading(heading: string): boolean {
  return !isName(heading) && !placeholderHeading.test(heading) && hasOwnTalk(heading);
}

function messageWeight(
  { ownPaths }: ParkedEvidence,
  title: string,
  headings: string[],
  body: string,
  blocks: string,
): number {
  if (isLand(body)) return 0;
  const lines = [title, ...headings];
  if (![...lines, body.slice(0, PROMINENT_CHARACTERS)].some(says)) return says(body) ? 1 : 0;
  const named = lines.filter((line) => line.includes(OWN_NAME));
  // An article says the same about other domains, and more.
  const speaksOfIt =
    named.some(says) || shareOfTalk(`${title}. ${blocks.slice(0, SHARED_CHARACTERS)}`) >= SHARE_MIN;
  if (!speaksOfIt) return 1;
  return (says(title) ? 2.5 : 2) - (named.length > 0 ? 0 : Math.min(1, ownPaths / 2));
}

function says(part: string): boolean {
  return parkedMessages.some((message) => message.test(part));
}

const isOfferOfOwn = (line: string): boolean =>
  line.includes(OWN_NAME) && (says(line) || speaksOfSale(line));

/** Lower case, with the site's names replaced and without quotations. */
function normalised(text: string, { requested, domain }: ParkedEvidence): string {
  let normal = plainLetters(text);
  for (const name of [requested, domain]) {
    if (name === null) continue;
    for (const spelling of new Set([name, plainLetters(domainToUnicode(name))])) {
      normal = normal.replaceAll(`www.${spelling}`, OWN_NAME).replaceAll(spelling, OWN_NAME);
    }
  }
  // A host of the domain is called as the domain.
  normal = normal.replace(HOST_OF_NAME, OWN_NAME);
  normal = normal.replace(ASKS_FOR_SCRIPTS, ' ');
  const said = normal.replace(QUOTED, (all, inner: string) => (inner.includes(' ') ? ' ' : all));
  return withoutDenials(said).trim();
}

function untouchedWeight({ title, headings, ownPaths }: ParkedEvidence, own: number): number {
  const whole = plainLetters(title || (headings[0] ?? ''));
  if (/^(?:index of|directory listing for) \/$/.test(whole)) {
    return ownPaths <= EMPTY_DIRECTORY_ENTRIES ? 4 : 0;
  }
  if (!untouchedServer.test(whole)) return 0;
  return own > QUOTING_SHARE ? 1.5 : 4;
}

function headingWeight(
  title: string,
  headings: readonly string[],
  blocks: string,
  page: { own: number; bare: boolean },
): number {
  if (![title, ...headings].some((one) => placeholderHeading.test(one))) return 0;
  if (untouchedTemplate.test(blocks)) return 2;
  // A shop that is being rebuilt says where it is and what it sells.
  if (page.own > OWN_SHARE) return 0.5;
  return page.bare && isAlone(title, headings, blocks) ? 2 : 1;
}

/** The numbered host to which a parking network redirects (`ww25.example.com`), or the path of a placeholder. */
function isPlaceholderAddress({ url, domain }: ParkedEvidence): boolean {
  const isNumbered = domain !== null && /^ww\d+$/.test(url.hostname.slice(0, -domain.length - 1));
  return isNumbered || placeholderPath.test(url.pathname);
}

/** Whether a page says little more than that there is no site. */
function isAlone(title: string, headings: readonly string[], blocks: string): boolean {
  if (headings.some(isOwnHeading)) return false;
  const isNamed = title !== '' && !headings.includes(title) && !placeholderHeading.test(title);
  if (isNamed && shareOfTalk(title) < SHARE_MIN) return false;
  const rest = restOf(headings, blocks);
  return rest.length < ALONE_CHARACTERS || ownShare(rest, true) === 0;
}

function isTiny(
  { textCharacters, hasScripts, hasImages, hasContact, ownPaths }: ParkedEvidence,
  headings: readonly string[],
  blocks: string,
): boolean {
  if (
    textCharacters >= TINY_TEXT_CHARACTERS ||
    hasScripts ||
    hasImages ||
    hasContact ||
    ownPaths > 0
  )
    return false;
  const rest = restOf(headings, blocks);
  // A novel comes soon, too.
  if (headings.some((one) => placeholderHeading.test(one)) && hasOwnTalk(rest)) return false;
  return rest.length < NOTHING_CHARACTERS && !(headings.some(isOwnHeading) && rest.length > 0);
}

/** The text of a page without its headings and its name. */
function restOf(headings: readonly string[], blocks: string): string {
  const rest = headings.reduce((text, heading) => text.replace(heading, ' '), blocks);
  return rest
    .replaceAll(OWN_NAME, ' ')
    .replace(/[¶|\s]+/g, ' ')
    .trim();
}

/** What hosts tell new customers; a help page tells it, too, but not that the reader's site is ready. */
function hostWeight({ kinds, isReady }: { kinds: number; isReady: boolean }): number {
  if (kinds >= 3) return isReady ? 3 : 2;
  return kinds === 2 && isReady ? 2 : 0;
}
