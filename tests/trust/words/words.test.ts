/** The words of trust reports, in each language. */
import { describe, expect, test } from 'bun:test';
import { formulaV1 } from '../../../src/trust/score/formula-v1.ts';
import { formulaV2 } from '../../../src/trust/score/formula-v2.ts';
import { score } from '../../../src/trust/score/score.ts';
import { reasonCodes } from '../../../src/trust/score/verdict.ts';
import {
  languages,
  partsOf,
  sentenceOf,
  siteFactsOf,
  trustWords,
  type Language,
} from '../../../src/trust/words/index.ts';
import { INDEPENDENT_MAX, type SiteFacts } from '../../../src/trust/words/words.ts';
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
    isSource: false,
    donorsLinkToSpam: false,
    linksTell: true,
    isRough: false,
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
  expect(say('en', 'trust_rank', 0)).toStartWith('Trust: hardly any of it reaches the site, over');
  expect(say('en', 'trust_rank', 1)).toStartWith('Trust: very much of it reaches');
  expect(say('ru', 'trust_rank', 0.3)).toEndWith('до сайта его дошло не много и не мало.');
});

test('few independent donors: how many voices they are, why fewer, and which limit they set', () => {
  const few = (independent: number, donors: number, ceiling: SiteFacts['ceiling'] = null) =>
    say('en', 'few_independent_donors', independent, { donors, ceiling });
  expect(few(3, 3)).toBe('3 sites link to it, which makes 3 separate voices.');
  expect(few(1, 1)).toBe('One site links to it, which makes one separate voice.');
  expect(few(50, 51)).toBe(
    '51 sites link to it, which makes 50 separate voices. Sites that trust does not reach, or only by the same ways as others, add no voice.',
  );
  expect(few(3, 51)).toEndWith('add no voice. That is usual where many have one owner.');
  expect(few(11, 51)).toEndWith('add no voice.');
  expect(few(INDEPENDENT_MAX, 705)).toBe(
    '705 sites link to it, which makes at least 128 separate voices (more are not counted).',
  );
  const limited = { points: 4.1, without: { xt: 5.2, colour: 'зел' } } as const;
  expect(few(3, 51, limited)).toBe(
    'Ceiling: links can be bought, so the number of separate voices limits the sum of these points: with 3, a site gets 4.1 at most. Without this ceiling its score would be 5.2: green.',
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
    'На него ссылается 51 сайт — это 50 отдельных голосов. Сайты, до которых доверие не доходит или доходит теми же путями, что до других, голосов не добавляют.',
  );
  expect(russian(1, 1)).toBe('На него ссылается один сайт — это один отдельный голос.');
  expect(russian(2, 51)).toContain('2 отдельных голоса. Сайты');
  expect(russian(0, 5)).toBe(
    'На него ссылаются 5 сайтов, но доверие до них не доходит, поэтому голосов нет.',
  );
  const ceilings = [0, 1, 3, 21].map((count) => russian(count, 51, limited));
  expect(ceilings.map((sentences) => /голосов\. (.+?) сайт получает/.exec(sentences)?.[1])).toEqual(
    ['Без голосов', 'При одном голосе', 'При 3 голосах', 'При 21 голосе'],
  );
  expect(ceilings[0]).toEndWith(
    'сайт получает не больше 4,1 балла. Без потолка оценка была бы 5,2, а цвет — зелёный.',
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
    const donors = signals.donorCount;
    const record = { ...score(signals, undefined, formulaV2), domain: 'alpha.ru', donors };
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
      `with 39, a site gets ${sum.toFixed(1)} at most. Without this ceiling its score would be 9.9: green.`,
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

test('links that give no points are not said to count', () => {
  const no = { linksTell: false, donorsLinkToSpam: true };
  expect(say('en', 'donors', 184, no)).toBe(
    'Links: 184 sites link to it. In these data the number of links does not tell good sites from bad ones, so links give no points.',
  );
  expect(say('ru', 'donors', 184, no)).toEndWith('поэтому баллов ссылки не дают.');
  expect(say('en', 'donors', 32, { donorsLinkToSpam: true })).toEndWith(
    'judged under the risk of spam.',
  );
});

test('a site at which trust begins is not said to get it from others', () => {
  const isSource = (name: string, listed = 0) =>
    siteFactsOf({
      ...score(domain({ listed }), undefined, formulaV2),
      domain: name,
      donors: 40,
    }).isSource;
  expect(['msu.edu', 'ox.ac.uk', 'a.b.gov.br'].map((name) => isSource(name))).toEqual(
    Array<boolean>(3).fill(true),
  );
  expect(
    ['ac.uk', 'edu', 'edu.com', 'msu.edu.com', 'alpha.ru'].map((name) => isSource(name)),
  ).toEqual(Array<boolean>(5).fill(false));
  expect(isSource('alpha.ru', 1)).toBe(true);
  expect(isSource('msu.edu', 2)).toBe(false);
  expect(say('en', 'trust_rank', 0.7, { isSource: true })).toEndWith('Trust begins at such sites.');
  expect(say('ru', 'trust_rank', 0.7, { isSource: true })).toEndWith('доверие начинается.');
});
