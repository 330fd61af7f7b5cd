import { linkFarm, type FarmShape } from './farms.ts';
import type { Ground } from './ground.ts';
import type { Place } from './web.ts';

/** A way to cheat: its description and how it is built. Its cost is counted while it is built. */
export interface Attack {
  family: Family;
  /** Unique. */
  name: string;
  /** Decides by chance which honest sites take part; the name if undefined. */
  draw?: string;
  plant: (ground: Ground) => void;
}

export type Family =
  | 'farms alone'
  | 'links alone'
  | 'farms with links'
  | 'made-up names'
  | 'expired domains'
  | 'disguises'
  | 'institutions by name'
  | 'poisoned lists'
  | 'victims';

/** The parts of an attack. Everything that the attacker owns works for one domain, the farm's first. */
export interface Recipe {
  family: Family;
  shape?: FarmShape;
  /** The number of new domains in the farm, including the first. */
  size?: number;
  /** Bought links: to the first domain, or each to another domain of the farm. */
  bought?: number;
  place?: Place;
  spread?: boolean;
  /** The first domain links back to every seller of a link. */
  answered?: boolean;
  /** Expired domains that join the farm. */
  expired?: number;
  from?: 'small' | 'known';
  /** Domains that link to made-up names, and how many each links to. */
  helpers?: number;
  names?: number;
  /** The first domain links to those helpers, so that trust reaches the names. */
  reached?: boolean;
  /** Links from each domain of the farm to great sites. */
  linksOut?: number;
  /** Domains under an ending of institutions, or on the operator's list, that link to all of the farm. */
  institutions?: number;
  listed?: number;
}

const NAMES_A_HELPER = 20_000;

export function attackOf(recipe: Recipe): Attack {
  return { family: recipe.family, name: nameOf(recipe), plant: (ground) => cook(recipe, ground) };
}

function cook(recipe: Recipe, ground: Ground): void {
  const { shape = 'star', size = 1, bought = 0, place = 'institution', expired = 0 } = recipe;
  const fresh = ground.register(size);
  const taken = Array.from({ length: expired }, () => ground.takeOver(recipe.from ?? 'small'));
  const farm = [...fresh, ...taken];
  const [first = 0, ...others] = farm;
  linkFarm(ground, shape, farm);
  for (let link = 0; link < bought; link++) {
    const to = recipe.spread ? (others[link % others.length] ?? first) : first;
    const seller = ground.buy(place, to);
    if (recipe.answered) ground.link(to, seller);
  }
  inventNames(ground, first, recipe);
  for (const node of farm) {
    for (let link = 0; link < (recipe.linksOut ?? 0); link++) ground.linkToTop(node);
  }
  const friends = [
    ...ground.registerInstitutions(recipe.institutions ?? 0),
    ...ground.registerListed(recipe.listed ?? 0, 'trusted'),
  ];
  for (const friend of friends) for (const node of farm) ground.link(friend, node);
}

/** Registers the helpers, and links each to names that nobody registered. */
function inventNames(ground: Ground, first: number, recipe: Recipe): void {
  const { helpers = 0, names = NAMES_A_HELPER, reached } = recipe;
  for (const helper of ground.register(helpers)) {
    const name = ground.invent(names);
    for (let index = 0; index < names; index++) ground.link(helper, name + index);
    if (reached) ground.link(first, helper);
  }
}

function nameOf(recipe: Recipe): string {
  const { size = 0, bought = 0, place, expired = 0, helpers, linksOut } = recipe;
  const parts: string[] = [];
  if (size + expired > 1) parts.push(`${recipe.shape ?? 'star'} of ${size + expired}`);
  if (expired > 0) parts.push(`${expired} expired (${recipe.from ?? 'small'})`);
  if (bought > 0) parts.push(`${bought} bought: ${place ?? 'institution'}`);
  if (recipe.spread) parts.push('spread over the farm');
  if (recipe.answered) parts.push('answered');
  if (helpers) parts.push(`${helpers} helpers with ${recipe.names ?? NAMES_A_HELPER} names each`);
  if (linksOut) parts.push(`${linksOut} links out each`);
  if (recipe.institutions) parts.push(`${recipe.institutions} named like institutions`);
  if (recipe.listed) parts.push(`${recipe.listed} on the trusted list`);
  return parts.join(', ');
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
