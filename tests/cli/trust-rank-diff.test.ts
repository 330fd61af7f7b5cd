import { expect, test } from 'bun:test';
import { diffText } from '../../src/cli/trust-rank-diff.ts';
import type { RankingDiff } from '../../src/trust/index.ts';

const figures = { xt: 5.4, spam: 2, colour: 'зел' as const };
const diff: RankingDiff = {
  before: { release: 'one', formula: '2', rankedAt: '2026-11-20T10:00:00.000Z' },
  after: { release: 'two', formula: '2', rankedAt: '2026-11-27T10:00:00.000Z' },
  compared: 3_000_000,
  appeared: 1,
  vanished: 0,
  differs: ['graph', 'lists'],
  seeds: [
    { change: 'added', kind: 'spam', source: 'T', domains: 2 },
    { change: 'removed', kind: 'trusted', source: null, domains: 1 },
  ],
  colours: [{ from: 'зел', to: 'ор', domains: 21 }],
  changes: [
    {
      domain: 'alpha.example',
      donors: 1_200,
      before: figures,
      after: { xt: 2.1, spam: 60, colour: 'ор' },
      terms: [
        { name: 'spam', unit: 'points', before: -0.1, after: -3.4 },
        { name: 'listed', unit: 'log-odds', before: 0, after: 4 },
      ],
    },
  ],
};

test('a comparison of two rankings is written in Russian', () => {
  const text = diffText(diff, 'ru').replaceAll('\u00a0', ' ');
  expect(text).toContain('сравнение с: ');
  expect(text).toMatch(/^что изменилось: +граф ссылок, ваши списки$/m);
  expect(text).toMatch(/^ {2}зелёный → оранжевый: +21$/m);
  expect(text).toMatch(/^ {2}добавлено в списке спама: 2 домена \(T\)$/m);
  expect(text).toMatch(/^ {2}убрано в списке проверенных: 1 домен$/m);
  expect(text).toMatch(
    /^alpha\.example +зелёный -> оранжевый +5,4 -> 2,1 +2 % -> 60 % +1200 +вычет за спам −3,3; списки сервиса \+4,0 к логарифму/m,
  );
  expect(text).toContain('и ещё 20: с --json названы 1');
  expect(text).not.toMatch(/\b(?:green|orange|domains?|lists?|log-odds)\b/);
});

test('a comparison of two rankings is written in English', () => {
  const text = diffText(diff, 'en');
  expect(text).toMatch(/^ {2}green to orange: +21$/m);
  expect(text).toMatch(/^ {2}1 trusted domain removed$/m);
  expect(text).not.toMatch(/[а-яё]/i);
});
