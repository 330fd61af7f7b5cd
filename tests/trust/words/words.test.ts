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
  trustWords,
  type Language,
} from '../../../src/trust/words/index.ts';
import { domain } from '../score/support.ts';

const say = (language: Language, code: (typeof reasonCodes)[number], value: number | null = null) =>
  sentenceOf({ code, value }, trustWords[language]);

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

test('how well a site is linked follows the percent that stands beside it', () => {
  const linked = (share: number) => say('en', 'page_rank', share);
  expect(linked(0.11)).toContain(
    'hardly linked, directly or through others (11 on a scale to 100)',
  );
  expect(linked(0.194)).toContain(
    'hardly linked, directly or through others (19 on a scale to 100)',
  );
  expect(linked(0.196)).toContain(
    'somewhat linked, directly or through others (20 on a scale to 100)',
  );
  expect(linked(0.494)).toContain(
    'somewhat linked, directly or through others (49 on a scale to 100)',
  );
  expect(linked(0.5)).toContain('well linked, directly or through others (50 on a scale to 100)');
  expect(linked(0.744)).toContain('well linked, directly or through others (74 on a scale to 100)');
  expect(linked(0.75)).toContain(
    'very well linked, directly or through others (75 on a scale to 100)',
  );
  expect(say('ru', 'page_rank', 0.11)).toContain(
    'почти не ссылаются, напрямую или через другие сайты (11 по шкале до 100)',
  );
  expect(say('ru', 'page_rank', 0.2)).toContain(
    'ссылаются немного, напрямую или через другие сайты (20 ',
  );
  expect(say('ru', 'page_rank', 0.5)).toContain(
    'ссылаются много, напрямую или через другие сайты (50 ',
  );
  expect(say('ru', 'page_rank', 1)).toContain(
    'ссылаются очень много, напрямую или через другие сайты (100 ',
  );
  expect(say('en', 'trust_rank', 0.11)).toContain('hardly any of it reaches this site (11 on');
  expect(say('ru', 'trust_rank', 0.6)).toContain('до этого сайта его доходит много (60 ');
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
    xt: 6,
    spam: 2,
    colour: 'зел',
    confidence: 'high',
    workability: 'не известно',
    release: 'one',
    page,
  } as const;
  const told = (changes: Partial<Parameters<typeof summaryOf>[0]>) =>
    summaryOf({ ...record, ...changes }, trustWords.en);

  test('says which part of the rule made the colour', () => {
    const why = (colour: 'зел' | 'жел' | 'ор', xt: number, spam: number) =>
      told({ colour, xt, spam })[0];
    expect(why('зел', 5.1, 7)).toContain('above 5 and the probability of spam is at most 7%');
    expect(why('ор', 3, 12)).toBe('Orange, because the score is not above 3.');
    expect(why('ор', 6, 13)).toBe('Orange, because the probability of spam is above 12%.');
    expect(why('ор', 3, 13)).toContain('not above 3 and the probability of spam is above 12%');
    expect(why('жел', 5, 7)).toContain('not above 5, where green begins.');
    expect(why('жел', 5.1, 8)).toContain('would be enough for green');
    expect(why('жел', 4, 8)).toContain('a probability of spam of at most 7%');
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
    expect(formulaV1.colours).toEqual(colourRule);
    expect(formulaV2.colours).toEqual(colourRule);
  });

  test('says what is known of the home page', () => {
    const read = { ...page, fetched_at: '2026-11-24T00:00:00Z', status: 200 };
    const own = { ...read, final_url: 'https://www.alpha.ru/', parked: false };
    const home = (changes: object, workability: 'да' | 'не известно' = 'не известно') =>
      told({ page: { ...own, ...changes }, workability }).at(-1);
    expect(home({}, 'да')).toBe('It works: its home page was read.');
    expect(home({})).toContain('whether the site works now is unknown');
    expect(home({ parked: true })).toContain('the domain is parked or for sale');
    expect(home({ final_url: 'https://notalpha.ru/' })).toContain('https://notalpha.ru/');
    expect(home({ final_url: null, status: 404 })).toContain('the error 404');
    expect(home({ final_url: null, status: null })).toContain('could not be read');
  });
});
