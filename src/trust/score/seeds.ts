/** Suffixes that are given to institutions alone, as the last label or as the last but one of a country. */
const institutions: ReadonlySet<string> = new Set(['edu', 'gov', 'mil', 'int']);
const institutionsOfCountries: ReadonlySet<string> = new Set([
  'edu',
  'gov',
  'mil',
  'ac',
  'gob',
  'gouv',
  'gub',
  'govt',
  'go',
  'gv',
  'nhs',
  'police',
  'parliament',
]);
const COUNTRY = /^[a-z]{2}$/;

/**
 * Whether a domain is a trust seed by rule: its registry admits institutions only (`edu`, `gov`, `mil`,
 * `int`, and under a country `ac.*`, `edu.*`, `gov.*`, `mil.*` and the like). No list to keep, nothing to buy.
 * @param domain a registrable domain in ASCII, lower case
 */
export function isTrustedByRule(domain: string): boolean {
  const labels = domain.split('.');
  const last = labels.at(-1) ?? '';
  if (labels.length < 2) return false;
  if (institutions.has(last)) return true;
  return (
    labels.length > 2 && COUNTRY.test(last) && institutionsOfCountries.has(labels.at(-2) ?? '')
  );
}

/**
 * The same rule for names in reversed order: a name is a seed when it begins with one of these. They are
 * a few thousand, and a release finds each as one range, however many names it has.
 */
export function trustedPrefixes(): string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
  const countries = letters.flatMap((first) => letters.map((second) => first + second));
  return [
    ...[...institutions].map((last) => `${last}.`),
    ...countries.flatMap((country) =>
      [...institutionsOfCountries].map((second) => `${country}.${second}.`),
    ),
  ];
}

/** Node numbers of a release's seeds. */
export interface Seeds {
  /** By rule. */
  institutions: Uint32Array;
  /** The operator's lists. A domain on both is spam. */
  trusted: Uint32Array;
  spam: Uint32Array;
}
