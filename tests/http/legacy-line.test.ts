/** The line of the legacy interface, for unusual records. */
import { expect, test } from 'bun:test';
import { trustLine, type HistoryMode } from '../../src/http/legacy/trust.ts';
import type { HistoryPoint, TrustRecord } from '../../src/trust/index.ts';
import { unreadPage } from '../support/unread-page.ts';

const point = (date: string, xt: number, spam: number): HistoryPoint => ({
  date,
  xt,
  spam,
  formula: '1',
  release: 'a',
  cause: 'page',
});

const record: TrustRecord = {
  domain: 'a.ru',
  xt: 0,
  title: 'A',
  colour: 'ор',
  workability: 'да',
  acceptors: 1,
  donors: 2,
  spam: 5,
  confidence: 'low',
  components: [],
  reasons: [],
  topDonors: [],
  page: unreadPage('a.ru'),
  release: 'a',
  base: null,
  formula: '1',
  history: [
    point('2026-11-20', 0, 3),
    point('2026-11-21', 0, 4),
    point('2026-11-22', 1.5, 4),
    point('2026-11-23', 1.5, 5),
    point('2026-11-24', 0, 5),
  ],
};

test.each([
  ['1', '2026-11-20:0.0;2026-11-22:1.5;2026-11-24:0.0'],
  ['2', '0.0;1.5;0.0'],
] as [HistoryMode, string][])('the history of h=%s is that of xt', (mode, history) => {
  const line = trustLine(record, { login: 'ivan', remaining: 7, mode });
  expect(line).toBe(`0.0|A|ivan|7|ор|да|1|2|5|${history}`);
});
