/** Points of the score history: when one is added, its cause, and that concurrent checks add one. */
import { describe, expect, test } from 'bun:test';
import { ScoreHistory } from '../../../src/trust/index.ts';
import { movableClock } from '../../support/clock.ts';
import { dialects, openTestDatabase } from '../../support/databases.ts';

const score = { xt: 5.1, spam: 3, formula: '1', release: 'a', rankedAt: 0 };

for (const dialect of dialects) {
  describe(`${dialect}: score history`, () => {
    test('tells changes by a release, a formula and a page apart', async () => {
      await using database = await openTestDatabase(dialect);
      const clock = movableClock();
      const history = new ScoreHistory(database.db, clock);
      const steps = [
        score,
        { ...score },
        // The same score from a new release or formula makes no point.
        { ...score, release: 'b', formula: '2' },
        { ...score, xt: 5.2, release: 'b' },
        { ...score, xt: 5.2, spam: 4, release: 'b' },
        { ...score, xt: 6, spam: 4, release: 'c', formula: '2' },
      ];
      for (const step of steps) await history.record('a.ru', step);
      const points = await history.points('a.ru');
      expect(points.map(({ cause, xt, spam }) => [cause, xt, spam])).toEqual([
        ['first', 5.1, 3],
        ['release', 5.2, 3],
        ['page', 5.2, 4],
        ['formula', 6, 4],
      ]);
      expect(await new ScoreHistory(database.db, clock).points('a.ru')).toEqual(points);
    });

    test('names the release as the cause if it was ranked again since the last point', async () => {
      await using database = await openTestDatabase(dialect);
      const clock = movableClock();
      const history = new ScoreHistory(database.db, clock);
      const step = async (xt: number, rankedAt: number) => {
        clock.forward(1000);
        await history.record('a.ru', { ...score, xt, rankedAt });
      };
      const first = clock.now();
      await step(5, first);
      await step(6, first);
      const second = clock.now() + 1;
      await step(7, second);
      await step(8, second);
      const causes = (await history.points('a.ru')).map(({ cause }) => cause);
      expect(causes).toEqual(['first', 'page', 'release', 'page']);
    });

    test('adds a concurrent equal point once, on one node and on two', async () => {
      await using database = await openTestDatabase(dialect);
      const clock = movableClock();
      const nodes = [new ScoreHistory(database.db, clock), new ScoreHistory(database.db, clock)];
      const records = nodes.flatMap((node) =>
        Array.from({ length: 20 }, () => node.record('a.ru', score)),
      );
      for (const points of await Promise.all(records)) expect(points).toHaveLength(1);
      const rows = await database.db.query('SELECT number FROM trust_history', []);
      expect(rows).toEqual([{ number: 1 }]);
    });

    test('adds a point for each of many sites checked at once', async () => {
      await using database = await openTestDatabase(dialect);
      const history = new ScoreHistory(database.db, movableClock());
      const sites = Array.from({ length: 300 }, (_, number) => `site${number}.ru`);
      await Promise.all(
        sites.map((site, number) => history.record(site, { ...score, spam: number % 100 })),
      );
      for (const [number, site] of sites.entries()) {
        expect((await history.points(site)).map(({ spam }) => spam)).toEqual([number % 100]);
      }
    });
  });
}
