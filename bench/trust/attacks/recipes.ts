import type { Recipe } from './catalogue.ts';
import { farmShapes } from './farms.ts';
import { places, type Place } from './web.ts';

/** The farms of the acceptance: three shapes, and seven sizes at about equal ratios. */
const acceptanceShapes = ['star', 'exchange', 'web'] as const;
const acceptanceSizes = [10, 50, 200, 1000, 5000, 20_000, 100_000];
export const purchases = [1, 3, 10];

/** The 21 farms with a number of links from the sites of one place. */
export function acceptanceFarms(bought: number, place: Place, upTo: number): Recipe[] {
  return acceptanceShapes.flatMap((shape) =>
    acceptanceSizes
      .filter((size) => size <= upTo)
      .map((size) => ({ family: 'farms with links' as const, shape, size, bought, place })),
  );
}

const sizes = [10, 100, 1000];
const links = [1, 3, 10, 30, 40, 100];

/** Farms and links from each place of the rank, alone and together. */
export const grid: readonly Recipe[] = [
  ...farmShapes.flatMap((shape) =>
    sizes.map((size): Recipe => ({ family: 'farms alone', shape, size })),
  ),
  ...places.flatMap((place) =>
    links.map((bought): Recipe => ({ family: 'links alone', bought, place })),
  ),
  ...places.flatMap((place) =>
    (place === 'institution' ? farmShapes : (['exchange', 'web'] as const)).flatMap((shape) =>
      sizes.flatMap((size) =>
        links.map((bought): Recipe => ({ family: 'farms with links', shape, size, bought, place })),
      ),
    ),
  ),
];

const some = [1, 3, 10];
const sources = [1, 3, 10, 20, 30];

/** What attackers try beyond more of the same. */
export const tricks: readonly Recipe[] = [
  // Links that go to the farm's other domains, in twos and threes.
  ...farmShapes.flatMap((shape) =>
    [30, 300].flatMap((size) =>
      some.map((bought): Recipe => ({
        family: 'farms with links',
        shape,
        size,
        bought,
        spread: true,
      })),
    ),
  ),
  // Expired domains among themselves, with new ones, and with bought links.
  ...(['exchange', 'ring', 'web'] as const).flatMap((shape) =>
    (['small', 'known'] as const).flatMap((from) =>
      [3, 10, 30, 40, 60, 100].flatMap((expired) =>
        [1, 30].flatMap((size) =>
          [0, 3].map((bought): Recipe => ({
            family: 'expired domains',
            shape,
            size,
            expired,
            from,
            bought,
          })),
        ),
      ),
    ),
  ),
  // Links back to whoever links, and links to great sites.
  ...places.flatMap((place) =>
    some.map((bought): Recipe => ({
      family: 'disguises',
      shape: 'web',
      size: 30,
      bought,
      place,
      answered: true,
      linksOut: 5,
    })),
  ),
  ...[30, 300].flatMap((size) =>
    [...sources, 100].map((institutions): Recipe => ({
      family: 'institutions by name',
      shape: 'exchange',
      size,
      institutions,
    })),
  ),
  ...sources.map((listed): Recipe => ({
    family: 'poisoned lists',
    shape: 'exchange',
    size: 30,
    listed,
  })),
];

/** More than the goal speaks of: what green costs where the catalogue has no way to it. */
export const beyond: readonly Recipe[] = [
  ...(['small', 'known'] as const).flatMap((from) =>
    [110, 120, 130, 150, 200, 300].map((expired): Recipe => ({
      family: 'expired domains',
      shape: 'exchange',
      size: 1,
      expired,
      from,
    })),
  ),
  ...[60, 100].map((expired): Recipe => ({
    family: 'expired domains',
    shape: 'exchange',
    size: 30,
    expired,
    institutions: 30,
  })),
  ...[110, 120, 130, 150].map((bought): Recipe => ({
    family: 'links alone',
    bought,
    place: 'institution',
  })),
];
