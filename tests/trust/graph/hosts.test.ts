/** Graphs of hosts are refused, or folded to the graph of their domains. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { registrableDomain } from '../../../src/trust/identity.ts';
import { NameSurvey } from '../../../src/trust/graph/import/name-survey.ts';
import { reverseName } from '../../../src/trust/graph/reversed-name.ts';
import { failure } from '../../support/failure.ts';
import { contents, expected, openWorld, tinyLimits, written } from './world.ts';

// Starting threads and syncing files to the disk takes long on a busy machine.
setDefaultTimeout(300_000);

type Links = [from: string, to: string][];

/** Vertices in the order of their reversed names, as in the public host graphs. */
function textOf(hosts: readonly string[], links: Links) {
  const names = [...new Set(hosts.map(reverseName))].sort();
  const ids = new Map(names.map((name, id) => [reverseName(name), id]));
  return {
    vertices: names.map((name, id) => `${id}\t${name}\n`).join(''),
    edges: links.map(([from, to]) => `${ids.get(from)}\t${ids.get(to)}\n`).join(''),
  };
}

const hosts = [
  'www.a.com',
  'a.com',
  'shop.a.com',
  'b.co.uk',
  'www.b.co.uk',
  'me.github.io',
  'c.ru',
];
const links: Links = [
  ['www.a.com', 'shop.a.com'],
  ['www.a.com', 'b.co.uk'],
  ['shop.a.com', 'www.b.co.uk'],
  ['me.github.io', 'a.com'],
  ['c.ru', 'me.github.io'],
];

test('a graph of hosts is refused, with advice', async () => {
  await using world = await openWorld();
  const files = await written(world, textOf(hosts, links));
  const refused = await failure(world.store.importGraph({ name: 'hosts', ...files }));
  expect(refused).toMatchObject({
    code: 'invalid_request',
    message: `${files.vertices} is a graph of hosts: 43 % of its names are hosts below a domain, such as shop.a.com, www.a.com, www.b.co.uk; import the domain graph instead, or fold the hosts to their domains with --fold-hosts`,
  });
  // The same command folds it, with the option.
  const folded = await world.store.importGraph({ name: 'hosts', ...files, foldHosts: true });
  expect(folded).toMatchObject({ nodes: 4, edges: 3, suffixes: 'private', hosts_folded: 3 });
  expect(folded.left_out).toMatchObject({ self_loops: 1, repeated_edges: 1 });
  expect(contents(world.store.open('hosts'))).toEqual(
    expected(
      ['a.com', 'me.github.io', 'c.ru', 'b.co.uk'],
      [
        [0, 3],
        [1, 0],
        [2, 1],
      ],
    ),
  );
  const stated = { suffixes: 'icann', foldHosts: true } as const;
  await world.store.importGraph({ name: 'icann', ...files, ...stated });
  expect(world.store.open('icann').manifest).toMatchObject({ suffixes: 'icann', nodes: 4 });
  expect(world.store.open('icann').find('github.io')).toBeDefined();
});

test('a few hosts among many domains do not make a graph of hosts', async () => {
  await using world = await openWorld();
  const domains = Array.from({ length: 100 }, (_, at) => `site${at}.com`);
  const some = ['x.site1.com', 'y.site1.com', 'z.site1.com', 'www.site2.com'];
  const star = domains.slice(1).map((domain): Links[number] => [domain, 'site0.com']);
  const graph = textOf([...domains, ...some], star);
  const manifest = await world.store.importGraph({ name: 'few', ...(await written(world, graph)) });
  expect(manifest).toMatchObject({ nodes: 103, suffixes: 'private', hosts_folded: 0 });
});

test('any graph of hosts folds to the distinct links between distinct domains', async () => {
  await using world = await openWorld();
  const label = fc.constantFrom('a', 'b', 'www', 'shop', 'b-a');
  const suffix = fc.constantFrom('com', 'co.uk', 'github.io', 'рф', 'example');
  const host = fc
    .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), suffix)
    .map(([labels, end]) => [...labels, end].join('.').replace('рф', 'xn--p1ai'));
  const graph = fc.uniqueArray(host, { minLength: 2, maxLength: 20 }).chain((names) => {
    const name = fc.constantFrom(...names);
    return fc.tuple(fc.constant(names), fc.array(fc.tuple(name, name), { maxLength: 40 }));
  });
  let count = 0;
  const folds = fc.asyncProperty(
    graph,
    fc.constantFrom('icann', 'private'),
    async ([names, drawn], suffixes) => {
      const fold = (name: string) => registrableDomain(name, suffixes) ?? name;
      const wanted = new Set(
        drawn
          .map(([from, to]) => [fold(from), fold(to)])
          .filter(([from, to]) => from !== to)
          .map((link) => link.join(' ')),
      );
      fc.pre(wanted.size > 0);
      const files = await written(world, textOf(names, drawn));
      const options = { ...files, suffixes, foldHosts: true, limits: tinyLimits } as const;
      const name = `fold${count++}`;
      await world.store.importGraph({ name, ...options });
      const release = world.store.open(name);
      const nodes = Array.from({ length: release.nodes }, (_, node) => node);
      const domains = nodes.map((node) => release.nameOf(node));
      const found = nodes.flatMap((node) =>
        [...release.acceptors(node)].map((to) => `${domains[node]} ${domains[to]}`),
      );
      expect(domains.toSorted()).toEqual([...new Set(names.map(fold))].sort());
      expect(found.toSorted()).toEqual([...wanted].sort());
    },
  );
  await fc.assert(folds, { numRuns: 6 });
});

test('a sample of a long file has the same shares as the whole, and is always the same', () => {
  const encoder = new TextEncoder();
  const surveyed = () => {
    const survey = new NameSurvey(1_000);
    for (let at = 0; at < 50_000; at++) {
      const name =
        at >= 40_000 ? `io.github.me${at}` : at % 10 === 0 ? `com.s${at}.www` : `com.s${at}`;
      const bytes = encoder.encode(name);
      survey.add(bytes, 0, bytes.length);
    }
    return survey.facts();
  };
  const facts = surveyed();
  expect(facts).toMatchObject({ sampled: 1_000, platforms: 0 });
  // 20 % and 8 % of 1,000, within five standard deviations.
  expect(Math.abs(facts.sites - 200)).toBeLessThan(64);
  expect(Math.abs(facts.hosts - 80)).toBeLessThan(44);
  expect(surveyed()).toEqual(facts);
});
