/** A trust report as a person reads it on the command line. */
import { expect, test } from 'bun:test';
import { trustReport } from '../../src/cli/trust-report.ts';
import { formulaV2 } from '../../src/trust/score/formula-v2.ts';
import { score } from '../../src/trust/score/score.ts';
import type { TrustRecord } from '../../src/trust/index.ts';
import { unreadPage } from '../support/unread-page.ts';
import { domain } from '../trust/score/support.ts';

const unread = unreadPage('alpha.ru');
const read: TrustRecord['page'] = {
  ...unread,
  fetchedAt: '2026-11-24T00:00:00.000Z',
  status: 200,
  finalUrl: 'https://alpha.ru/',
  parked: false,
  externalDomains: 0,
};
const point = { spam: 2, formula: '2', release: 'one' };

function recordOf(changes: Partial<TrustRecord> = {}): TrustRecord {
  return {
    ...score(domain(), undefined, formulaV2),
    domain: 'alpha.ru',
    title: '',
    workability: 'не известно',
    acceptors: 0,
    donors: 40,
    history: [
      { ...point, date: '2026-11-01', xt: 4, cause: 'first' },
      { ...point, date: '2026-11-02', xt: 5, cause: 'release' },
    ],
    topDonors: [],
    page: read,
    release: 'one',
    base: null,
    ...changes,
  };
}
const report = (changes: Partial<TrustRecord>) => trustReport(recordOf(changes), 'en');

test('a value that could not be seen or counted is shown as unknown', () => {
  const counted = (text: string) => /^Links to \(sites\): +(.+)$/m.exec(text)?.[1];
  expect(counted(report({ page: unread }))).toBe('unknown: its home page was not read');
  expect(counted(report({ page: { ...read, parked: true } }))).toBe('unknown');
  expect(counted(report({ page: unread, acceptors: 3 }))).toBe('3');
  expect(counted(report({}))).toBe('0');
  expect(report({ page: unread })).toMatch(/^Title: +unknown: its home page was not read$/m);
  expect(report({})).not.toMatch(/^Title/m);
  expect(report({ donors: 0 })).toMatch(/^Linked from \(sites\): +0$/m);
  expect(report({ donors: 0, release: null })).toMatch(/^Linked from \(sites\): +unknown$/m);
});

test('a parked domain is reported first, with the advice to pay nothing there', () => {
  const parked = report({ page: { ...read, parked: true } });
  expect(parked).toMatch(/^The site works: +no: the address is for sale or not in use$/m);
  expect(parked).toContain('What that means:\n  There is no site now:');
  expect(parked).not.toMatch(/before you pay/i);
  expect(parked).toMatch(
    /^What to do:\n {2}Do not order or pay for anything here\. .+ check it anew\.$/m,
  );
});

test('the newest point comes first, then the parts of the score', () => {
  expect(report({ colour: 'жел' })).toEndWith(
    [
      'History, newest first:',
      '  2026-11-02: 5.0 (new data on links)',
      '  2026-11-01: 4.0 (first check)',
      'Calculated with version 2 of the formula from the link data “one”.',
    ].join('\n'),
  );
  expect(report({ colour: 'жел' })).toContain(
    '\nWhat to do:\n  Reading it is fine. Before you pay',
  );
  const unranked = report({ release: null, history: [], components: [], reasons: [] });
  expect(unranked).not.toMatch(/Calculated|Before you pay|How the score/);
});

test('a site of which nothing is known is not called one in between', () => {
  const colour = (changes: Partial<TrustRecord>) =>
    /^Score: .+ — (yellow: .+)$/m.exec(report({ colour: 'жел', ...changes }))?.[1];
  expect(colour({ xt: 4 })).toBe('yellow: in between');
  expect(colour({ xt: 0, donors: 0 })).toBe('yellow: unknown');
});

test('the advice follows what makes the site orange', () => {
  expect(report({ colour: 'ор', xt: 2 })).toContain('Do not pay or leave personal data before you');
  expect(report({ colour: 'ор', spam: 13 })).toContain(
    'Do not pay, leave personal data or download anything here. The risk',
  );
  const reasons = [{ code: 'listed_as_spam', value: null }] as const;
  expect(report({ colour: 'ор', spam: 13, reasons: [...reasons] })).toContain(
    'anything here. Whoever runs this service has put the site on the list of spam.',
  );
});

test('what the score shows comes first, before the parts; a risk that nothing changed is called the usual one', () => {
  const text = report({ page: read });
  expect(text).toContain('What that means:\n  The score shows whether trusted sites');
  expect(text.indexOf('What to do:')).toBeLessThan(text.indexOf('How the score comes about'));
  expect(text).toMatch(/^Score measured reliably: +roughly$/m);
  expect(text).toMatch(/^Risk of spam: +\d+% — the usual value$/m);
  const reasons = [{ code: 'donors_link_to_spam', value: null }] as const;
  expect(report({ reasons: [...reasons] })).toMatch(/^Risk of spam: +\d+%$/m);
});

test('mailto: links are shown as plain e-mail addresses', () => {
  const pages = { contact: 'mailto:a@alpha.ru', privacy: null, imprint: null };
  const text = trustReport(recordOf({ page: { ...read, pages } }), 'ru');
  expect(text).toMatch(/^Контакты: +a@alpha\.ru$/m);
  expect(text).toMatch(/^Политика конфиденциальности: +на главной нет ссылки$/m);
});

test('parts of the score stand in a column above it, then the donors with their shares', () => {
  const text = report({ topDonors: [{ domain: 'beta.ru', share: 0.5, isListedSpam: true }] });
  const [, parts, sum] =
    /^How the score comes about, in points:\n((?: {3,}[+−]?\d\.\d {2}[A-Z].+\n)+) {2}= (\d\.\d) {2}the score$/m.exec(
      text,
    ) ?? [];
  const points = [...(parts ?? '').matchAll(/^ +([+−]?\d\.\d) /gm)].map(([, figure]) =>
    Number(figure?.replace('−', '-')),
  );
  expect(points.length).toBeGreaterThan(2);
  expect(points.reduce((all, one) => all + one, 0)).toBeCloseTo(Number(sum), 9);
  expect(text).toContain(
    'comes through, ten at most:\n  beta.ru (50.0%, on the list of spam)\nHistory',
  );
});
