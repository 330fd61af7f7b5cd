/** Sites on platforms such as github.io, in releases made with either reading of the Public Suffix List. */
import { expect, test } from 'bun:test';
import { donorsOf, importLinks, type Links } from './links.ts';
import { openTrustWorld } from './world.ts';

interface Checked {
  domain: string;
  xt: number;
  title: string;
  donors: number;
  confidence: string;
  workability: string;
  reasons: string[];
  reason_codes: { code: string; value: number | null }[];
  page: { site: string; final_url: string | null };
  history: { xt: number }[];
}

const text = 'Words that people read on an ordinary page of an ordinary site. '.repeat(5);
const html = (title: string) => `<!doctype html><title>${title}</title><body><p>${text}</p>`;
const byIcann: Links = [...donorsOf('github.io', 30), ['mit.edu', 'github.io']];
const byBoth: Links = [...donorsOf('me.github.io', 30), ['mit.edu', 'me.github.io']];

test('the suffixes follow from the names of a release, and a check uses them', async () => {
  const hosts = ['me.github.io', 'other.github.io', 'github.io'];
  const sites = Object.fromEntries(hosts.map((host) => [host, html(`Home of ${host}`)]));
  await using world = await openTrustWorld('sqlite', { sites });
  const { gateway } = world;
  const { token } = await gateway.addUser();
  const check = (url: string) =>
    gateway.data<Checked>('/trust/check/', { url, history: 1 }, { token });
  const refusal = () => gateway.code('/trust/check/', { url: 'github.io' }, { token });
  expect(await refusal()).toBe('invalid_request');

  await world.release('icann', byIcann);
  const platform = await check('github.io');
  expect(platform).toMatchObject({
    domain: 'github.io',
    title: 'Home of github.io',
    workability: 'да',
    donors: 31,
    page: { site: 'github.io' },
  });
  expect(platform.reason_codes.map(({ code }) => code)).not.toContain('links_of_platform');
  const hosted = await check('https://www.me.github.io/page');
  expect(hosted).toMatchObject({
    domain: 'github.io',
    title: 'Home of me.github.io',
    xt: platform.xt,
    donors: 31,
    confidence: 'low',
    workability: 'да',
    page: { site: 'me.github.io', final_url: expect.stringContaining('//me.github.io/') },
  });
  expect(hosted.reason_codes[0]).toEqual({ code: 'links_of_platform', value: null });
  expect(hosted.reasons[0]).toContain('the platform that hosts the site');
  const last = await gateway.data<{ domain: string; record: Checked }>(
    '/trust/last/',
    { url: 'me.github.io' },
    { token },
  );
  expect(last).toMatchObject({ domain: 'github.io', record: { title: hosted.title } });

  await world.release('both', byBoth);
  expect(await check('me.github.io')).toMatchObject({
    domain: 'me.github.io',
    donors: 31,
    confidence: 'medium',
  });
  const unknown = await check('other.github.io');
  expect(unknown).toMatchObject({
    domain: 'other.github.io',
    donors: 0,
    title: expect.any(String),
  });
  expect(unknown.reason_codes.map(({ code }) => code)).not.toContain('links_of_platform');
  expect(await refusal()).toBe('invalid_request');

  // Names of both kinds, as in an import merged with the operator's own crawl.
  await world.release('mixed', [...byIcann, ...byBoth]);
  expect(await check('me.github.io')).toMatchObject({ domain: 'me.github.io', donors: 31 });
  expect(await check('other.github.io')).toMatchObject({ domain: 'github.io', donors: 31 });
  expect((await check('github.io')).domain).toBe('github.io');
  const { store } = gateway.core.trust;
  await importLinks(store, 'plain', donorsOf('example.com', 3));
  const suffixes = (await store.list()).map((release) => [release.name, release.suffixes]);
  expect(suffixes).toEqual([
    ['icann', 'icann'],
    ['both', 'private'],
    ['mixed', 'icann'],
    ['plain', 'private'],
  ]);
});
