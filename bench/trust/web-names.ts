import type { Random } from './random.ts';

/** Reversed endings with their share of the domains, roughly as on the web; ascending. */
const endings: readonly (readonly [ending: string, percent: number])[] = Object.entries({
  'au.com': 2,
  'br.com': 3,
  cn: 3,
  com: 46,
  cz: 1,
  de: 8,
  edu: 0.2,
  fr: 3,
  gov: 0.1,
  info: 3,
  io: 1,
  it: 2,
  'jp.co': 2,
  net: 5,
  nl: 3,
  org: 6,
  pl: 2,
  ru: 5,
  'uk.ac': 0.1,
  'uk.co': 4,
  'xn--p1ai': 0.6,
});
const consonants = 'bdfghklmnprstvz';
const vowels = 'aeiou';
const suffixes = ['', '', '', '-shop', '24', 'blog', '-online', 's'];
/** 75 syllables to the power of 4: more than any ending has domains. */
const SYLLABLES = 4;

/** Reversed names, all different, in ascending order of their bytes. */
export function* webNames(count: number, random: Random): Generator<string> {
  const shares = endings.reduce((sum, [, share]) => sum + share, 0);
  let [made, wanted] = [0, 0];
  for (const [ending, share] of endings) {
    wanted += (count * share) / shares;
    const until = ending === endings.at(-1)?.[0] ? count : Math.round(wanted);
    const step = Math.floor((consonants.length * vowels.length) ** SYLLABLES / (until - made));
    for (let name = 0; made < until; name++, made++) {
      const stem = stemOf(name * step + random.below(step));
      yield `${ending}.${stem}${suffixes[random.below(suffixes.length)]}`;
    }
  }
}

/** Greater numbers give greater stems, all of one length: what follows a stem does not change the order. */
function stemOf(number: number): string {
  let stem = '';
  let rest = number;
  for (let syllable = 0; syllable < SYLLABLES; syllable++) {
    const vowel = vowels[rest % vowels.length];
    rest = Math.floor(rest / vowels.length);
    stem = `${consonants[rest % consonants.length]}${vowel}${stem}`;
    rest = Math.floor(rest / consonants.length);
  }
  return stem;
}
