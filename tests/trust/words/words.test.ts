/** The words of trust reports, in each language. */
import { describe, expect, test } from 'bun:test';
import { formulaV1 } from '../../../src/trust/score/formula-v1.ts';
import { formulaV2 } from '../../../src/trust/score/formula-v2.ts';
import { colourRule } from '../../../src/trust/words/sentences.ts';
import { score } from '../../../src/trust/score/score.ts';
import { reasonCodes } from '../../../src/trust/score/verdict.ts';
import {
  languages,
  partsOf,
  sentenceOf,
  summaryOf,
  toldSiteOf,
  trustWords,
  type Language,
} from '../../../src/trust/words/index.ts';
import {
  HIGH_FROM,
  INDEPENDENT_MAX,
  LOW_BELOW,
  type ToldSite,
} from '../../../src/trust/words/words.ts';
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
    mostPoints: null,
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

test('a mark is told in words, and only a high one is said to be much', () => {
  expect(say('en', 'page_rank', 0.11)).toContain('a little linked site');
  expect(say('en', 'page_rank', 0.8)).toContain('one of the most linked sites');
  expect(say('en', 'trust_rank', 0)).toEndWith('Hardly any of it reaches this site.');
  expect(say('en', 'trust_rank', 1)).toEndWith('Very much of it reaches this site.');
  expect(say('ru', 'trust_rank', 0.3)).toEndWith('До этого сайта дошла часть.');
});

test('few independent donors: several count as one where that is so, and what independent means', () => {
  const few = (independent: number, donors: number, mostPoints: number | null = null) =>
    say('en', 'few_independent_donors', independent, { donors, mostPoints });
  expect(few(3, 3)).toStartWith('Few independent sites: 3 link to it. Independent means');
  expect(few(1, 1)).toStartWith('Few independent sites: 1 links to it.');
  expect(few(50, 51)).not.toContain('the others');
  expect(few(3, 51, 4.1)).toBe(
    'Few independent sites: of the 51 that link to it, only 3 count. Trust comes to the others only through the same few sites, as is usual where many sites have one owner. With 3, a site gets 4.1 points at most; what is above that is taken off.',
  );
  expect(few(0, 1)).toBe('No independent sites: trust comes to no site that links to it.');
  expect(few(0, 5)).toContain('trust comes to none of the 5 sites that link to it');
  const russian = (independent: number, donors: number) =>
    say('ru', 'few_independent_donors', independent, { donors });
  expect(russian(50, 51)).toStartWith('Мало независимых сайтов: на него ссылаются 50.');
  expect(russian(1, 1)).toStartWith('Мало независимых сайтов: на него ссылается один.');
  expect(russian(3, 51)).toContain('из 51 ссылающегося независимых лишь 3.');
  expect(russian(1, 51)).toContain('из 51 ссылающегося независимым считается лишь один.');
});

describe('the parts of a score', () => {
  const partsOfScore = (changes: Parameters<typeof domain>[0], language: Language = 'en') => {
    const signals = domain(changes);
    const record = { ...score(signals, undefined, formulaV2), donors: signals.donorCount };
    return { record, parts: partsOf(record, trustWords[language], toldSiteOf(record)) };
  };
  test('add up to it, to the last digit, in at most five sentences', () => {
    for (let seed = 0; seed < 300; seed++) {
      const { record, parts } = partsOfScore({
        trustRank: ((seed * 7) % 100) / 100,
        pageRank: ((seed * 13) % 100) / 100,
        donors: ((seed * 29) % 100) / 100,
        independent: seed % 140,
        distrust: ((seed % 11) - 5) / 8,
      });
      const tenths = parts.reduce((sum, { points }) => sum + Math.round(10 * points), 0);
      expect(tenths).toBe(Math.round(10 * record.xt));
      expect(parts.length).toBeLessThanOrEqual(5);
    }
  });

  test('say to how many points few independent sites lower it, as the sum so far', () => {
    const { parts } = partsOfScore({
      trustRank: 1,
      pageRank: 1,
      donors: 1,
      independent: 39,
      donorCount: 39,
    });
    const at = parts.findIndex(({ why }) => why.startsWith('Few independent'));
    const sum = parts.slice(0, at + 1).reduce((all, { points }) => all + points, 0);
    expect(parts[at]?.why).toContain(`With 39, a site gets ${sum.toFixed(1)} points at most;`);
    const enough = partsOfScore({ trustRank: 1, pageRank: 1, donors: 1, independent: 128 });
    expect(enough.parts.some(({ why }) => why.startsWith('Few independent'))).toBe(false);
    expect(formulaV2.standing.support.at(-1)?.[0]).toBe(INDEPENDENT_MAX);
  });

  test('say with which risk of spam every site starts, and what it takes off', () => {
    const spam = (distrust: number) => partsOfScore({ distrust }).parts.at(-1)?.why;
    expect(spam(0)).toMatch(/^Risk of spam: \d+%\. Every site starts with that, and nothing known/);
    expect(spam(1)).toMatch(
      /Every site starts with \d+%; what is known of this one raised it \(below\)\./,
    );
    expect(spam(1)).toEndWith('at 100%, four fifths of them.');
    expect(spam(-1)).toContain('lowered it');
    expect(spam(-1)).toEndWith('So low a risk takes off nothing.');
  });

  test('are links and the risk alone where nothing links to the site', () => {
    const none = { trustRank: 0, pageRank: 0, donors: 0, independent: 0, donorCount: 0 };
    const { parts } = partsOfScore({ ...none, acceptorCount: 0 });
    expect(parts.map(({ points }) => points)).toEqual([0, 0]);
    expect(parts[0]?.why).toStartWith('None of the sites we know links to it,');
  });
});

test('a site on the list of spam is not said to link to spam: its place on the list is enough', () => {
  for (const language of languages) {
    const listed = say(language, 'links_toward_spam', null, { isListedSpam: true });
    expect(listed).not.toMatch(/it links to known spam|сам он ссылается|он сам ссылается/i);
    expect(say(language, 'links_toward_spam')).toMatch(/it links to known|он сам ссылается/);
  }
});

test('links that tell little are not said to tell more', () => {
  expect(say('en', 'neutral', 0.099)).toContain('hardly tells');
  expect(say('en', 'neutral', 0.8)).toContain('does not always tell');
  expect(say('ru', 'neutral', 0.099)).toContain('трудно отличить');
  expect(say('ru', 'neutral', 0.8)).toContain('не всегда');
});

test('numbers of sites have their plural', () => {
  const russian = [1, 2, 5, 11, 21, 22, 1000, 1001].map((count) => {
    const [, verb, sites] =
      /на него (ссыла\p{L}+) ([^.]+)\./u.exec(say('ru', 'donors', count)) ?? [];
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
  expect(say('en', 'donors', 1)).toStartWith('Links: one site links to it.');
  expect(say('en', 'donors', 1200)).toStartWith('Links: 1,200 sites link to it.');
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
    components: [],
    page,
  } as const;
  const told = (changes: Partial<Parameters<typeof summaryOf>[0]>) =>
    summaryOf({ ...record, ...changes }, trustWords.en);

  test('says which part of the rule made the colour', () => {
    const why = (colour: 'зел' | 'жел' | 'ор', xt: number, spam: number) =>
      told({ colour, xt, spam })[0];
    expect(why('зел', 5.1, 7)).toContain(
      'of 5.1 is above 5 and the risk of spam, 7%, is at most 7%',
    );
    expect(why('ор', 3, 12)).toStartWith(
      'Orange, because the score of 3.0 is at most 3. For every',
    );
    expect(why('ор', 6, 13)).toStartWith(
      'Orange, because the risk of spam, 13%, is above 12%. For',
    );
    expect(why('ор', 3, 13)).toContain('at most 3 and the risk of spam, 13%,');
    expect(why('жел', 5, 7)).toContain('of 5.0 is above 3, but not above 5. For every');
    expect(why('жел', 5.1, 8)).toContain('spam, 8%, is above 7%, but not above 12%.');
    expect(why('жел', 4, 8)).toContain('not above 5, and the risk of spam, 8%, is above 7%');
    // By its figures it would be orange, or green: only a lack of evidence makes it yellow.
    for (const [xt, spam] of [
      [0, 1],
      [2, 40],
      [6, 2],
    ] as const) {
      expect(why('жел', xt, spam)).toContain('nothing is known of it');
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
      'Confidence is low: there are no links to judge it by. The score of 0.0 means that no site was found that recognises it. It does not mean that the site is bad.',
    );
    expect(low({ xt: 0, spam: 77, colour: 'ор' })).toEndWith(
      'It does not mean that the site is bad. The risk of spam, 77%, speaks against it.',
    );
    expect(low({ xt: 2.5, spam: 12, colour: 'ор' })).toEndWith(
      'a site by its links. So the score of 2.5 does not tell whether the site is good or bad.',
    );
  });

  test('says why the confidence is what it is, and what green takes', () => {
    const independent = (value: number) => [
      { name: 'independent donors', unit: 'points', value, weight: 1, contribution: 0 } as const,
    ];
    const why = (changes: object) => told({ colour: 'жел', xt: 4, ...changes })[1];
    const few = { components: independent(7), confidence: 'medium' };
    expect(why(few)).toStartWith(
      `Confidence is medium: 7 independent sites link to it; from ${HIGH_FROM} on it would be high. Green takes more than 110;`,
    );
    expect(why({ components: independent(25), confidence: 'high' })).toContain('25 independent');
    expect(why({ components: independent(25), confidence: 'medium' })).toContain('only a rough');
    expect(why({ components: independent(1), confidence: 'low' })).toContain(
      `1 independent site links to it, and at least ${LOW_BELOW} are needed`,
    );
    const many = { components: independent(128), donors: 500, colour: 'зел', xt: 6 };
    expect(why(many)).toContain('128 or more independent sites');
    expect(why(many)).not.toContain('Green takes');
    // Before version 2 of the formula, all donors counted.
    expect(why({ donors: 5, confidence: 'medium' })).toContain(': 5 sites link to it;');
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
