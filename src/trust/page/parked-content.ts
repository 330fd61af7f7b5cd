import type { ParkedEvidence } from './parked-evidence.ts';
import { isMarket, isMessenger, isRegistrar, isSocial, sellsDomains } from './parked-services.ts';
import { sentencesAboutHosting } from './parked-talk.ts';

/** Under a placeholder's heading, a page without links and addresses has less text than this. */
const BARE_TEXT_CHARACTERS = 200;
/** Where a placeholder says whose it is. */
const SEARCHED_CHARACTERS = 900;
/** A shorter name may be an ordinary word. */
const NAME_CHARACTERS_MIN = 4;

/**
 * Those of the linked domains where domains or their hosting are sold: known ones, those whose names show it, and a
 * host that says of itself that this domain is there.
 *
 * @param text is normalised
 */
export function sellersOf({ linked }: ParkedEvidence, text: string): ReadonlySet<string> {
  const sentences = sentencesAboutHosting(text.slice(0, SEARCHED_CHARACTERS));
  const isNamed = (domain: string): boolean => {
    const [name = ''] = domain.split('.');
    return name.length >= NAME_CHARACTERS_MIN && sentences.some((one) => one.includes(name));
  };
  return new Set(linked.filter((domain) => sellsDomains(domain) || isNamed(domain)));
}

/** Whether a page links to nothing else. */
export function linksToSellers(
  { domain, linked, ownPaths }: ParkedEvidence,
  sellers: ReadonlySet<string>,
): boolean {
  if (ownPaths > 0) return false;
  if (domain === null || isRegistrar(domain) || isMarket(domain)) return false;
  return linked.length > 0 && sellers.size === linked.length;
}

/** There is hardly any text, no link to other sites, and nobody to write to. */
export function isBare({ textCharacters, hasContact, ownPaths, linked }: ParkedEvidence): boolean {
  const isElsewhere = !linked.every(sellsDomains);
  return textCharacters < BARE_TEXT_CHARACTERS && !hasContact && ownPaths === 0 && !isElsewhere;
}

/** What is known of the page's words. */
export interface Said {
  title: string;
  /** How much of them is about something else than a domain. */
  own: number;
  sellers: ReadonlySet<string>;
  /** A host welcomes a new customer. */
  isHosts: boolean;
  isSale: boolean;
  /** The weight of what is said of this domain. */
  talk: number;
}

/** A site's own content: text, pages, links, somebody to write to. */
export function contentWeight(evidence: ParkedEvidence, said: Said): number {
  const { textCharacters, ownPaths, linked, hasContact } = evidence;
  const isAll = said.own === 0 && linked.length <= LINKED_HOSTS_MAX;
  const isOfSeller = said.isHosts || said.isSale || isNextToSeller(evidence, said, isAll);
  const text = step(textCharacters, [800, 1_500, 3_000]);
  const pages = step(ownPaths, [3, 8, 20]);
  const others = isOfSeller && isAll ? [] : linked.filter((one) => !said.sellers.has(one));
  const elsewhere = step(
    others.filter((one) => !isMessenger(one) && !(isOfSeller && isSocial(one))).length,
    [1, 3],
  );
  const canWrite = !isOfSeller && (hasContact || linked.some(isMessenger));
  return Math.min(3.5, text + pages + elsewhere / 2 + (canWrite ? 0.5 : 0));
}

/** Whether the address to write to and the social networks belong to whoever sells the domain or hosts it. */
function isNextToSeller({ ownPaths }: ParkedEvidence, said: Said, isAll: boolean): boolean {
  if (said.talk < 2 || ownPaths > 0) return false;
  return said.sellers.size > 0 || TRADE.test(said.title) || isAll;
}

/** A host links to its own site and to its help. */
const LINKED_HOSTS_MAX = 2;
/** What titles of registrars' and hosts' pages say. */
const TRADE = /host|domain|domen|домен|хост|registr|server|serwer/;

/** How many of the bounds a number reaches. */
function step(value: number, bounds: readonly number[]): number {
  return bounds.filter((bound) => value >= bound).length;
}
