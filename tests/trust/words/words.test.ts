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
  siteFactsOf,
  trustWords,
  type Language,
} from '../../../src/trust/words/index.ts';
import {
  HIGH_FROM,
  INDEPENDENT_MAX,
  LOW_BELOW,
  type SiteFacts,
} from '../../../src/trust/words/words.ts';
import { domain } from '../score/support.ts';

const say = (
  language: Language,
  code: (typeof reasonCodes)[number],
  value: number | null = null,
  site: Partial<SiteFacts> = {},
) =>
  sentenceOf({ code, value }, trustWords[language], {
    donors: 100,
    isListedSpam: false,
    namesSpam: false,
    ceiling: null,
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

test('a mark is put into words, and only a high one is called much', () => {
  expect(say('en', 'page_rank', 0.11)).toContain('a little linked site');
  expect(say('en', 'page_rank', 0.8)).toContain('one of the most linked sites');
  expect(say('en', 'trust_rank', 0)).toEndWith('bring hardly any of it here.');
  expect(say('en', 'trust_rank', 1)).toEndWith('bring very much of it here.');
  expect(say('ru', 'trust_rank', 0.3)).toEndWith('к сайту пришла часть доверия.');
});

test('few independent donors: how many voices they are, why fewer, and which limit they set', () => {
  const few = (independent: number, donors: number, ceiling: SiteFacts['ceiling'] = null) =>
    say('en', 'few_independent_donors', independent, { donors, ceiling });
  expect(few(3, 3)).toBe('3 sites link to it, which makes 3 separate voices.');
  expect(few(1, 1)).toBe('One site links to it, which makes one separate voice.');
  expect(few(50, 51)).toBe(
    '51 sites link to it, which makes 50 separate voices. Sites that trust reaches only through the same others share a voice.',
  );
  expect(few(3, 51)).toEndWith('share a voice, as is usual where many have one owner.');
  const limited = { points: 4.1, without: { points: 5.2, colour: 'зел' } } as const;
  expect(few(3, 51, limited)).toBe(
    'Ceiling: links can be bought, so the number of separate voices limits the sum of these points: with 3, a site gets 4.1 at most. Without this ceiling, its 5.2 would make it green.',
  );
  expect(few(0, 51, { ...limited, without: null })).toEndWith(
    'with none, a site gets 4.1 at most.',
  );
  expect(few(0, 5)).toBe(
    '5 sites link to it, but no trust reaches them, so there is no voice for it.',
  );
  const russian = (independent: number, donors: number, ceiling: SiteFacts['ceiling'] = null) =>
    say('ru', 'few_independent_donors', independent, { donors, ceiling });
  expect(russian(50, 51)).toBe(
    'На него ссылается 51 сайт — это 50 отдельных голосов. Сайты, к которым доверие приходит только через одни и те же сайты, считаются за один голос.',
  );
  expect(russian(1, 1)).toBe('На него ссылается один сайт — это один отдельный голос.');
  expect(russian(2, 51)).toContain('2 отдельных голоса. Сайты');
  expect(russian(0, 5)).toBe(
    'На него ссылаются 5 сайтов, но доверие до них не доходит, поэтому голосов нет.',
  );
  const ceilings = [0, 1, 3, 21].map((count) => russian(count, 51, limited));
  expect(ceilings.map((told) => /голосов\. (.+?) сайт получает/.exec(told)?.[1])).toEqual([
    'Без голосов',
    'При одном голосе',
    'При 3 голосах',
    'При 21 голосе',
  ]);
  expect(ceilings[0]).toEndWith(
    'сайт получает не больше 4,1 балла. Без потолка с 5,2 балла он был бы зелёным.',
  );
});

test('a risk of spam is never called zero or certain', () => {
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  expect([0, 0.03, 1].map(trustWords.en.risk)).toEqual(['under 1%', '3%', 'over 99%']);
  expect([0, 0.03, 1].map(trustWords.ru.risk).map(plain)).toEqual([
    'меньше 1 %',
    '3 %',
    'больше 99 %',
  ]);
});

describe('the parts of a score', () => {
  const partsOfScore = (changes: Parameters<typeof domain>[0], language: Language = 'en') => {
    const signals = domain(changes);
    const record = { ...score(signals, undefined, formulaV2), donors: signals.donorCount };
    return { record, parts: partsOf(record, trustWords[language], siteFactsOf(record)) };
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

  test('say to how many points a lack of separate voices lowers the score, as the sum so far', () => {
    const { parts } = partsOfScore({
      trustRank: 1,
      pageRank: 1,
      donors: 1,
      independent: 39,
      donorCount: 39,
    });
    const at = parts.findIndex(({ why }) => why.startsWith('Ceiling'));
    const sum = parts.slice(0, at + 1).reduce((all, { points }) => all + points, 0);
    expect(parts[at]?.why).toContain(
      `with 39, a site gets ${sum.toFixed(1)} at most. Without this ceiling, its 10.0 would make it green.`,
    );
    const enough = partsOfScore({ trustRank: 1, pageRank: 1, donors: 1, independent: 128 });
    expect(enough.parts.some(({ why }) => why.startsWith('Ceiling'))).toBe(false);
    expect(formulaV2.standing.support.at(-1)?.[0]).toBe(INDEPENDENT_MAX);
  });

  test('say which risk of spam every site starts with, and what it takes off', () => {
    const spam = (distrust: number) => partsOfScore({ distrust }).parts.at(-1)?.why;
    expect(spam(0)).toMatch(
      /^Risk of spam: \d+%\. The usual value: nothing is known .+ does not mean that the site is safe\. The higher/,
    );
    expect(spam(1)).toMatch(
      /Every site starts with \d+%; what is known of this one raised it \(below\)\./,
    );
    expect(spam(1)).toEndWith('up to four fifths of them.');
    expect(spam(-1)).toContain('lowered it');
    expect(spam(-1)).toEndWith('(below).');
  });

  test('are links and the risk alone if nothing links to the site', () => {
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
    expect(say(language, 'links_toward_spam')).toMatch(
      /it links to known|он сам чаще обычного ссылается/,
    );
  }
});

test('links that tell little are not said to tell more', () => {
  expect(say('en', 'neutral', 0.099)).toContain('hardly tells');
  expect(say('en', 'neutral', 0.8)).toContain('does not always tell');
  expect(say('ru', 'neutral', 0.099)).toContain('трудно отличить');
  expect(say('ru', 'neutral', 0.8)).toContain('не всегда');
});

test('plurals follow their numbers', () => {
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
      'of 5.1 is above 5 and the risk of spam (7%) is at most 7%',
    );
    expect(why('ор', 3, 12)).toStartWith(
      'Orange, because the score of 3.0 is at most 3: too little speaks for the site, which does not mean that it is bad. Green',
    );
    expect(why('ор', 6, 13)).toStartWith(
      'Orange, because the risk of spam (13%) is above 12%. Green',
    );
    expect(why('ор', 3, 13)).toContain('at most 3 and the risk of spam (13%) is');
    expect(why('жел', 5, 7)).toContain('of 5.0 is above 3, but not above 5. Green takes');
    expect(why('жел', 5.1, 8)).toContain('spam (8%) is above 7%, but not above 12%.');
    expect(why('жел', 4, 8)).toContain('not above 5, and the risk of spam (8%) is above 7%');
    // By its figures it would be orange or green. Only a lack of evidence makes it yellow.
    for (const [xt, spam] of [
      [0, 1],
      [2, 40],
      [6, 2],
    ] as const) {
      expect(why('жел', xt, spam)).toContain('nothing is known of it');
      expect(why('жел', xt, spam)).toContain('no better than orange');
      expect(why('жел', xt, spam)).not.toContain('Green takes');
    }
    expect(told({ release: null, confidence: 'none', colour: 'жел', xt: 0 })).toEqual([
      'This server has no data on who links to whom (no link graph), so there is no verdict.',
      'Its home page has not been read, so whether it works is unknown.',
    ]);
    // The record of a platform says little about a site on it.
    expect(told({ domain: 'platform.ru' })[1]).toBe(
      'The score is not measured reliably: little is known of the site itself.',
    );
    // The same rule holds for each other report.
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

  test('says, with low confidence, what is missing and what speaks against the site', () => {
    const low = (changes: object) => told({ confidence: 'low', ...changes })[1];
    expect(low({ donors: 0, xt: 0, colour: 'жел' })).toBe(
      'The score is not measured reliably: there are no links to judge the site by. The score of 0.0 means that no site was found that recognises it. It does not mean that the site is bad.',
    );
    expect(low({ xt: 0, spam: 77, colour: 'ор' })).toEndWith(
      'It does not mean that the site is bad. The risk of spam (77%) speaks against it.',
    );
    expect(low({ xt: 2.5, spam: 12, colour: 'ор' })).toEndWith(
      ': 30 sites link to it, and it takes at least 3.',
    );
  });

  test('says why the confidence is what it is, and what green requires', () => {
    const independent = (value: number) => [
      { name: 'independent donors', unit: 'points', value, weight: 1, contribution: 0 } as const,
    ];
    const why = (changes: object) => told({ colour: 'жел', xt: 4, ...changes })[1];
    const few = { components: independent(7), confidence: 'medium' };
    expect(why(few)).toStartWith(
      `The score is measured roughly: 30 sites link to it, which makes 7 separate voices; from ${HIGH_FROM} on it would be reliable. Sites that trust reaches only through the same others share a voice, as is usual where many have one owner. Green takes more than 110 voices,`,
    );
    expect(why({ components: independent(30), confidence: 'high' })).toContain(
      '30 separate voices, and 20 are enough to know how well a site is recognised. Green takes',
    );
    expect(why({ components: independent(25), confidence: 'medium' })).toContain('allow no better');
    expect(why({ components: independent(1), confidence: 'low' })).toContain(
      `30 sites link to it, which makes one separate voice, and it takes at least ${LOW_BELOW}.`,
    );
    const many = { components: independent(128), donors: 500, colour: 'зел', xt: 6 };
    expect(why(many)).toContain('500 sites link to it, which makes at least 128 separate voices,');
    expect(why(many)).not.toContain('Green takes');
    // Before version 2 of the formula, all donors counted.
    expect(why({ donors: 5, confidence: 'medium' })).toContain(': 5 sites link to it;');
  });

  test('says what is known of the home page', () => {
    const read = { ...page, fetched_at: '2026-11-24T00:00:00Z', status: 200 };
    const own = { ...read, final_url: 'https://www.alpha.ru/', parked: false };
    const home = (changes: object, workability: 'да' | 'не известно' = 'не известно') =>
      told({ page: { ...own, ...changes }, workability }).at(-1);
    expect(home({}, 'да')).toStartWith('The score is measured reliably');
    expect(home({})).toContain('whether the site works now is unknown');
    // That the site does not exist comes before the value of its links.
    const parked = (changes: object) => told({ page: { ...own, parked: true, ...changes } });
    expect(parked({})[0]).toStartWith('There is no site now: its address is for sale');
    expect(parked({ final_url: 'https://registrar.ru/alpha.ru' })[0]).toStartWith('There is no');
    expect(told({ release: null, page: { ...own, parked: true } })).toHaveLength(2);
    expect(home({ final_url: 'https://notalpha.ru/' })).toContain('https://notalpha.ru/');
    expect(home({ final_url: null, status: 404 })).toContain('the error 404');
    expect(home({ final_url: null, status: null })).toContain('could not be read');
  });
});
