/** Suffixes that only institutions get: top-level domains, and second-level domains of a country. */
const institutions = ['edu', 'gov', 'mil', 'int'];
const institutionsOfCountries =
  'edu,gov,mil,ac,gob,gouv,gub,govt,go,gv,nhs,police,parliament'.split(',');

/**
 * How many of the first `trustedPrefixes` are registries that check applicants. Under a country, some endings are for
 * sale.
 */
export const CHECKED_PREFIXES = institutions.length;

/**
 * The reversed suffixes of trust seeds by rule: registries for institutions (`edu`, `gov`, `mil`, `int`, and under a
 * country `ac.*`, `edu.*`, `gov.*`, `mil.*` and the like). There is no list to maintain. There are a few thousand
 * suffixes; in a release, the domains under each form one range.
 */
export function trustedPrefixes(): string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
  const countries = letters.flatMap((first) => letters.map((second) => first + second));
  return [
    ...institutions.map((last) => `${last}.`),
    ...countries.flatMap((country) =>
      institutionsOfCountries.map((second) => `${country}.${second}.`),
    ),
  ];
}

/** Whether a domain is a trust seed by rule. */
export function isInstitution(domain: string): boolean {
  const [last = '', second = '', third] = domain.split('.').toReversed();
  if (institutions.includes(last)) return second !== '';
  const isOfCountry = /^[a-z]{2}$/.test(last) && institutionsOfCountries.includes(second);
  return isOfCountry && third !== undefined;
}

/** Node numbers of a release's seeds. */
export interface Seeds {
  /** By rule. */
  institutions: Uint32Array;
  /** The ending of each of `institutions`: 0 if nobody can buy it, otherwise its number; undefined: 0 for all. */
  endings?: Uint16Array | undefined;
  /** From the operator's lists. A domain on both counts as spam. */
  trusted: Uint32Array;
  spam: Uint32Array;
}
