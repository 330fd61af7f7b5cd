/** The words of trust reports, in each language. */
import { describe, expect, test } from 'bun:test';
import { formulaV1 } from '../../../src/trust/score/formula-v1.ts';
import { formulaV2 } from '../../../src/trust/score/formula-v2.ts';
import { colourRule } from '../../../src/trust/words/sentences.ts';
import { score } from '../../../src/trust/score/score.ts';
import { reasonCodes } from '../../../src/trust/score/verdict.ts';
import {
  languages,
  sentenceOf,
  summaryOf,
  toldSiteOf,
  trustWords,
  type Language,
} from '../../../src/trust/words/index.ts';
import { ENOUGH_INDEPENDENT, type ToldSite } from '../../../src/trust/words/words.ts';
import { domain } from '../score/support.ts';

const say = (
  language: Language,
  code: (typeof reasonCodes)[number],
  value: number | null = null,
  site: Partial<ToldSite> = {},
) =>
  sentenceOf({ code, value }, trustWords[language], {
    donors: 100,
    isListedSpam: false,
    deduction: null,
    ...site,
  });

describe.each([...languages])('%s', (language) => {
  test('every reason and every term has words, a sentence for each value', () => {
    for (const code of reasonCodes) {
      for (const value of [null, 0, 1, 0.5, 2, 1e6]) {
        expect(say(language, code, value)).toMatch(/^[\p{Lu}\d].*\.$/u);
        expect(say(language, code, value)).not.toMatch(/undefined|NaN|null/);
      }
    }
    const page = { hiddenLinks: 40, externalDomains: 300, repeatedAnchorShare: 0.9 };
    const components = [formulaV1, formulaV2].flatMap(
      (formula) => score(domain(), page, formula).components,
    );
    for (const { name } of components) {
      expect([name, trustWords[language].terms[name]]).toEqual([name, expect.any(String)]);
    }
  });
});

test('a place among other sites has its scale beside it', () => {
  expect(say('en', 'page_rank', 0.324)).toContain('32 out of 100 among the sites we know (100 is');
  expect(say('ru', 'page_rank', 0.326)).toContain('он получает 33 из 100 (100 — у первых)');
  expect(say('en', 'trust_rank', 0.11)).toContain('this site gets 11 out of 100 (100 is');
  expect(say('ru', 'trust_rank', 1)).toContain('сайт получает 100 из 100 (100 — у тех,');
});

test('few independent donors: several count as one, and green needs more, only where that is so', () => {
  const few = (independent: number, donors: number) =>
    say('en', 'few_independent_donors', independent, { donors });
  expect(few(3, 3)).toBe(
    'Only 3 independent sites link to it. A score above 5, which green needs, takes more than 110. Most sites, good ones too, do not have so many.',
  );
  expect(few(1, 1)).toStartWith('Only one independent site links to it.');
  expect(few(50, 51)).not.toContain('the others');
  expect(few(3, 51)).toStartWith('Of the 51 sites that link to it, only 3 count as independent.');
  expect(few(1, 51)).toContain('only 1 counts as independent');
  expect(few(3, 51)).toContain('add nothing to that number. A score above 5');
  expect(few(115, 2000)).toEndWith('add nothing to that number.');
  expect(few(0, 1)).toStartWith('One site links to it. No reliable site leads to that one,');
  expect(few(0, 5)).toContain('leads to any of them, directly or through others, so these links');
  const russian = (independent: number, donors: number) =>
    say('ru', 'few_independent_donors', independent, { donors });
  expect(russian(50, 51)).toBe(
    'На него ссылаются лишь 50 независимых сайтов. Чтобы оценка была больше 5, как нужно для зелёного, их должно быть больше 110. У большинства сайтов, и у хороших тоже, столько нет.',
  );
  expect(russian(1, 1)).toStartWith('На него ссылается лишь один независимый сайт.');
  expect(russian(22, 22)).toStartWith('На него ссылаются лишь 22 независимых сайта.');
  expect(russian(3, 51)).toStartWith('Из 51 сайта, которые на него ссылаются, независимых лишь 3.');
});

test('the deduction for few independent donors says from what to what, if there is one', () => {
  const told = (independent: number) => {
    const signals = domain({ independent, donorCount: independent, trustRank: 1, pageRank: 1 });
    const { reasons, components } = score(signals, undefined, formulaV2);
    const site = toldSiteOf({ donors: independent, reasons, components });
    return [say('en', 'few_independent_donors', independent, site), site.deduction] as const;
  };
  const [sentence, deduction] = told(39);
  const { from, to } = deduction ?? { from: NaN, to: NaN };
  expect(from).toBeGreaterThan(to);
  expect(sentence).toContain(
    `So few allow at most ${to.toFixed(2)} points; the rest of its ${from.toFixed(2)} is deducted. With 128 of them,`,
  );
  // One that deserves more is lowered to the same points.
  const great = domain({ independent: 39, trustRank: 1, pageRank: 1, donors: 1 });
  const { components } = score(great, undefined, formulaV2);
  expect(toldSiteOf({ donors: 39, reasons: [], components }).deduction?.to).toBeCloseTo(to, 9);
  expect(told(120)[1]).not.toBeNull();
  expect(told(ENOUGH_INDEPENDENT)[1]).toBeNull();
  expect(formulaV2.standing.support.at(-1)?.[0]).toBe(ENOUGH_INDEPENDENT);
});

test('a site on the list of spam is not said to link to spam: its place on the list is enough', () => {
  for (const language of languages) {
    const listed = say(language, 'links_toward_spam', null, { isListedSpam: true });
    expect(listed).not.toMatch(/it links to known spam|сам он ссылается|он сам ссылается/i);
    expect(say(language, 'links_toward_spam')).toMatch(/it links to known|он сам ссылается/);
  }
});

test('links that tell little are not said to tell more', () => {
  expect(say('en', 'neutral', 0.099)).toContain('a weight of only 9.9% in the score');
  expect(say('en', 'neutral', 0.8)).toContain('does not always tell');
  expect(say('ru', 'neutral', 0.099)).toContain('лишь 9,9');
  expect(say('ru', 'neutral', 0.8)).toContain('не всегда');
});

test('numbers of sites have their plural', () => {
  const russian = [1, 2, 5, 11, 21, 22, 1000, 1001].map((count) => {
    const [, verb, sites] =
      /На него (ссыла\p{L}+) ([^;]+);/u.exec(say('ru', 'donors', count)) ?? [];
    return `${verb} ${sites?.replaceAll(/\s/g, ' ')}`;
  });
  expect(russian).toEqual([
    'ссылается один сайт',
    'ссылаются 2 сайта',
    'ссылаются 5 сайтов',
    'ссылаются 11 сайтов',
    'ссылается 21 сайт',
    'ссылаются 22 сайта',
    'ссылаются 1 000 сайтов',
    'ссылается 1 001 сайт',
  ]);
  expect(say('ru', 'few_donors', 1)).toStartWith('На него ссылается только один сайт из известных');
  expect(say('ru', 'few_donors', 2)).toStartWith('На него ссылаются только 2 сайта из известных');
  expect(say('en', 'donors', 1)).toStartWith('One site links to it;');
  expect(say('en', 'donors', 1200)).toStartWith('1,200 sites link to it;');
  expect(say('en', 'few_donors', 1)).toStartWith('Only one site known to us links to it');
  expect(say('en', 'few_donors', 2)).toStartWith('Only 2 sites known to us link to it');
});

describe('the summary', () => {
  const page = { site: 'alpha.ru', fetched_at: null, status: null, final_url: null, parked: null };
  const record = {
    domain: 'alpha.ru',
    xt: 6,
    spam: 2,
    colour: 'зел',
    confidence: 'high',
    donors: 30,
    workability: 'не известно',
    release: 'one',
    page,
  } as const;
  const told = (changes: Partial<Parameters<typeof summaryOf>[0]>) =>
    summaryOf({ ...record, ...changes }, trustWords.en);

  test('says which part of the rule made the colour', () => {
    const why = (colour: 'зел' | 'жел' | 'ор', xt: number, spam: number) =>
      told({ colour, xt, spam })[0];
    expect(why('зел', 5.1, 7)).toContain(
      'of 5.1 is above 5 and the probability of spam, 7%, is at most 7%',
    );
    expect(why('ор', 3, 12)).toStartWith('Orange, because the score of 3.0 is at most 3. The rule');
    expect(why('ор', 6, 13)).toStartWith(
      'Orange, because the probability of spam, 13%, is above 12%. The',
    );
    expect(why('ор', 3, 13)).toContain('at most 3 and the probability of spam, 13%,');
    expect(why('жел', 5, 7)).toContain('of 5.0 is above 3, but not above 5. The rule');
    expect(why('жел', 5.1, 8)).toContain('spam, 8%, is above 7%, but not above 12%.');
    expect(why('жел', 4, 8)).toContain('not above 5, and the probability of spam, 8%, is above 7%');
    // By its figures it would be orange, or green: only a lack of evidence makes it yellow.
    for (const [xt, spam] of [
      [0, 1],
      [2, 40],
      [6, 2],
    ] as const) {
      expect(why('жел', xt, spam)).toContain('too little is known');
    }
    expect(told({ release: null, confidence: 'none', colour: 'жел', xt: 0 })).toEqual([
      'This server has no data on who links to whom (no link graph), so there is no verdict.',
      'Its home page has not been read, so whether it works is unknown.',
    ]);
    // The record of a platform says little of a site on it.
    expect(told({ domain: 'platform.ru' })[1]).toBe(
      'Confidence is low: little is known of the site itself.',
    );
    // Each report has the same rule.
    for (const [colour, xt, spam] of [
      ['зел', 6, 2],
      ['жел', 4, 2],
      ['ор', 2, 40],
    ] as const) {
      expect(why(colour, xt, spam)).toEndWith(trustWords.en.colourRule);
    }
    expect(formulaV1.colours).toEqual(colourRule);
    expect(formulaV2.colours).toEqual(colourRule);
  });

  test('says with low confidence what the score does not tell, and what speaks against the site', () => {
    const low = (changes: object) => told({ confidence: 'low', ...changes })[1];
    expect(low({ donors: 0, xt: 0, colour: 'жел' })).toBe(
      'Confidence is low: there are no links to judge it by. The score of 0.0 means that no recognition by reliable sites was found. It does not mean that the site is bad.',
    );
    expect(low({ xt: 0, spam: 77, colour: 'ор' })).toEndWith(
      'It does not mean that the site is bad. The probability of spam, 77%, speaks against it.',
    );
    expect(low({ xt: 2.5, spam: 12, colour: 'ор' })).toEndWith(
      'judge it by links. So the score of 2.5 does not tell whether the site is good or bad.',
    );
  });

  test('says what is known of the home page', () => {
    const read = { ...page, fetched_at: '2026-11-24T00:00:00Z', status: 200 };
    const own = { ...read, final_url: 'https://www.alpha.ru/', parked: false };
    const home = (changes: object, workability: 'да' | 'не известно' = 'не известно') =>
      told({ page: { ...own, ...changes }, workability }).at(-1);
    expect(home({}, 'да')).toBe('It works: its home page was read.');
    expect(home({})).toContain('whether the site works now is unknown');
    // That there is no site comes before what its links are worth.
    const parked = (changes: object) => told({ page: { ...own, parked: true, ...changes } });
    expect(parked({})[0]).toStartWith('There is no site now: its address is for sale');
    expect(parked({ final_url: 'https://registrar.ru/alpha.ru' })[0]).toStartWith('There is no');
    expect(told({ release: null, page: { ...own, parked: true } })).toHaveLength(2);
    expect(home({ final_url: 'https://notalpha.ru/' })).toContain('https://notalpha.ru/');
    expect(home({ final_url: null, status: 404 })).toContain('the error 404');
    expect(home({ final_url: null, status: null })).toContain('could not be read');
  });
});
