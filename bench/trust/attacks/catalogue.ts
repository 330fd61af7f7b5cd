import { linkFarm, plantFarm, type FarmShape } from './farms.ts';
import type { Ground } from './ground.ts';
import type { Place } from './web.ts';

/** A way to cheat: what it is, how it is built. Its cost is counted while it is built. */
export interface Attack {
  /** The group of the catalogue that it belongs to. */
  family: string;
  /** Unique; it also decides by chance which honest sites take part. */
  name: string;
  plant: (ground: Ground) => void;
}

/** The farms of the acceptance: three shapes, and seven sizes at equal ratios. */
export const acceptanceShapes = ['star', 'exchange', 'web'] as const;
export const acceptanceSizes = [10, 50, 200, 1000, 5000, 20_000, 100_000];
export const purchases = [1, 3, 10];

/** A farm of which the domain to push has bought links. */
export function farmWithLinks(
  shape: FarmShape,
  size: number,
  bought: number,
  place: Place,
): Attack {
  return {
    family: `farm, ${bought} bought`,
    name: `${shape} of ${size}, ${bought} from ${place}`,
    plant: (ground) => {
      const [first = 0] = plantFarm(ground, shape, size);
      for (let link = 0; link < bought; link++) ground.buy(place, first);
    },
  };
}

/** The 21 farms of the acceptance with a number of links from one place. */
export function acceptanceFarms(bought: number, place: Place, upTo = Infinity): Attack[] {
  return acceptanceShapes.flatMap((shape) =>
    acceptanceSizes
      .filter((size) => size <= upTo)
      .map((size) => farmWithLinks(shape, size, bought, place)),
  );
}

/** Bought links and nothing else: each goes straight to the one domain. */
export function linksAlone(bought: number, place: Place): Attack {
  return {
    family: 'links alone',
    name: `${bought} from ${place}, no farm`,
    plant: (ground) => {
      const [target = 0] = ground.register(1);
      for (let link = 0; link < bought; link++) ground.buy(place, target);
    },
  };
}

export const NAMES_A_HELPER = 20_000;

/** A farm, and helpers that each link to names that nobody registered. */
export function madeUpNames(helpers: number, names = NAMES_A_HELPER): Attack {
  return {
    family: 'made-up names',
    name: `exchange of 300, ${helpers} helpers with ${names} made-up names each`,
    plant: (ground) => {
      plantFarm(ground, 'exchange', 300);
      for (const helper of ground.register(helpers)) {
        const first = ground.invent(names);
        for (let name = 0; name < names; name++) ground.link(helper, first + name);
      }
    },
  };
}

/** Expired domains with old honest donors, linked with each other. */
export function expiredDomains(shape: FarmShape, count: number, from: 'small' | 'known'): Attack {
  return {
    family: 'expired domains',
    name: `${shape} of ${count} expired domains, ${from}`,
    plant: (ground) => {
      linkFarm(
        ground,
        shape,
        Array.from({ length: count }, () => ground.takeOver(from)),
      );
    },
  };
}

/** Worthless links at a competitor. */
export function worthlessLinks(count: number, victim: 'small' | 'known'): Attack {
  return {
    family: 'victims',
    name: `${count} worthless links at a ${victim} site`,
    plant: (ground) => {
      const target = ground.victim(victim);
      for (const node of ground.register(count)) ground.link(node, target);
    },
  };
}
