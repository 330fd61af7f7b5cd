/** The summary of a trust report: the colour, the confidence, and the home page. */
import { describe, expect, test } from 'bun:test';
import { formulaV1 } from '../../../src/trust/score/formula-v1.ts';
import { formulaV2 } from '../../../src/trust/score/formula-v2.ts';
import { summaryOf, trustWords } from '../../../src/trust/words/index.ts';
import { colourRule } from '../../../src/trust/words/sentences.ts';
import { HIGH_FROM, LOW_BELOW } from '../../../src/trust/words/words.ts';

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
  const site = { isSource: false, linksTell: true, isRough: false };
  const summary = (
    changes: Partial<Parameters<typeof summaryOf>[0]>,
    ofSite: Partial<typeof site> = {},
  ) => summaryOf({ ...record, ...changes }, trustWords.en, { ...site, ...ofSite });

  test('says which part of the rule made the colour', () => {
    const why = (colour: 'зел' | 'жел' | 'ор', xt: number, spam: number) =>
      summary({ colour, xt, spam })[0];
    expect(why('зел', 5.1, 7)).toContain(
      'of 5.1 is above 5 and the risk of spam (7%) is at most 7%',
    );
    expect(why('ор', 3, 12)).toStartWith(
      'Orange, because the score of 3.0 is at most 3: too little speaks for the site, which does not mean that it is bad.',
    );
    expect(why('ор', 6, 13)).toStartWith('Orange, because the risk of spam (13%) is above 12%.');
    expect(why('ор', 3, 13)).toContain('at most 3 and the risk of spam (13%) is');
    expect(why('жел', 5, 7)).toContain('of 5.0 is above 3, but not above 5.');
    expect(why('жел', 5.1, 8)).toContain('spam (8%) is above 7%, but not above 12%.');
    expect(why('жел', 4, 8)).toContain('not above 5, and the risk of spam (8%) is above 7%');
    // By its figures it would be orange or green. Only a lack of evidence makes it yellow.
    for (const [xt, spam] of [
      [0, 1],
      [2, 40],
      [6, 2],
    ] as const) {
      expect(why('жел', xt, spam)).toContain('nothing is known of it');
      expect(why('жел', xt, spam)).toEndWith('Here yellow means neither good nor bad.');
      expect(summary({ colour: 'жел', xt, spam })).not.toContain(trustWords.en.colourRule);
    }
    expect(summary({ release: null, confidence: 'none', colour: 'жел', xt: 0 })).toEqual([
      'This server has no data on who links to whom (no link graph), so there is no verdict.',
      'Its home page has not been read, so whether it works is unknown.',
    ]);
    // The record of a platform says little about a site on it.
    expect(summary({ domain: 'platform.ru' })[1]).toBe(
      'The score is not measured reliably: little is known of the site itself.',
    );
    // The same rule holds for each other report.
    for (const [colour, xt, spam] of [
      ['зел', 6, 2],
      ['жел', 4, 2],
      ['ор', 2, 40],
    ] as const) {
      expect(summary({ colour, xt, spam }).at(-1)).toBe(trustWords.en.colourRule);
    }
    expect(formulaV1.colours).toEqual(colourRule);
    expect(formulaV2.colours).toEqual(colourRule);
  });

  test('says, with low confidence, what is missing and what speaks against the site', () => {
    const low = (changes: object) => summary({ confidence: 'low', ...changes })[1];
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
    const why = (changes: object, ofSite: Partial<typeof site> = {}) =>
      summary({ colour: 'жел', xt: 4, ...changes }, ofSite)[1];
    const few = { components: independent(7), confidence: 'medium' };
    expect(why(few)).toStartWith(
      `The score is measured roughly: 30 sites link to it, which makes 7 separate voices; from ${HIGH_FROM} on it would be reliable. Sites that trust does not reach, or only by the same ways as others, add no voice. Green takes more than 110 voices,`,
    );
    expect(why({ components: independent(30), confidence: 'high' })).toContain(
      '30 separate voices, and 20 are enough to know how well a site is recognised. Green takes',
    );
    expect(why(few, { isRough: true })).toContain('allow no better. Sites');
    expect(why(few, { linksTell: false })).not.toContain('Green takes');
    // The voices for a source are not counted.
    expect(why(few, { isSource: true })).toBe(
      'The score is measured roughly: 30 sites link to it; from 20 on it would be reliable.',
    );
    expect(why({ components: independent(1), confidence: 'low' })).toContain(
      `30 sites link to it, which makes one separate voice, and it takes at least ${LOW_BELOW}.`,
    );
    const many = { components: independent(128), donors: 500, colour: 'зел', xt: 6 };
    expect(why(many)).toContain(
      '500 sites link to it, which makes at least 128 separate voices (more are not counted),',
    );
    expect(why(many)).not.toContain('Green takes');
    // Before version 2 of the formula, all donors counted.
    expect(why({ donors: 5, confidence: 'medium' })).toContain(': 5 sites link to it;');
  });

  test('says what is known of the home page', () => {
    const read = { ...page, fetched_at: '2026-11-24T00:00:00Z', status: 200 };
    const own = { ...read, final_url: 'https://www.alpha.ru/', parked: false };
    const home = (changes: object, workability: 'да' | 'не известно' = 'не известно') =>
      summary({ page: { ...own, ...changes }, workability }).at(-2);
    expect(home({}, 'да')).toStartWith('The score is measured reliably');
    expect(home({})).toContain('whether the site works now is unknown');
    // That the site does not exist comes before the value of its links.
    const parked = (changes: object) => summary({ page: { ...own, parked: true, ...changes } });
    expect(parked({})[0]).toStartWith('There is no site now: its address is for sale');
    expect(parked({ final_url: 'https://registrar.ru/alpha.ru' })[0]).toStartWith('There is no');
    expect(summary({ release: null, page: { ...own, parked: true } })).toHaveLength(2);
    expect(home({ final_url: 'https://notalpha.ru/' })).toContain('https://notalpha.ru/');
    expect(home({ final_url: null, status: 404 })).toContain('the error 404');
    expect(home({ final_url: null, status: null })).toContain('could not be read');
  });
});
