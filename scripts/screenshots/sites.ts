import type { Links } from '../../tests/trust/check/links.ts';

/** The site that is checked. */
export const SITE = 'bakery.example';

const paragraph =
  '<p>We bake from five in the morning. Orders for tomorrow are taken until six, by phone and on this site.</p>';
export const homePage = `<!doctype html><html lang="en"><title>The bakery on the corner</title><body>
  <h1>The bakery on the corner</h1>${paragraph.repeat(6)}<a href="https://mill.example/">Our mill</a></body></html>`;

const blogs = Array.from({ length: 24 }, (_, at) => `kitchen-blog-${at + 1}.example`);
const schools = ['harbour.edu', 'northern.edu', 'hillside.edu'];
const towns = ['town-news.example', 'market-days.example', 'city-guide.example', 'mill.example'];

/** Schools, which are trusted by rule, link to the papers of the town; these to the bakery, and blogs to all. */
export const earlierLinks: Links = [
  ...schools.flatMap((school) => towns.map((town) => [school, town] as const)),
  ...towns.map((town, at) => [town, towns[(at + 1) % towns.length] ?? town] as const),
  ...blogs.slice(0, 12).map((blog) => [blog, SITE] as const),
  ...blogs.map((blog, at) => [blog, towns[at % towns.length] ?? blog] as const),
  ['mill.example', SITE],
  [SITE, 'mill.example'],
];

export const links: Links = [
  ...earlierLinks,
  ...blogs.slice(12).map((blog) => [blog, SITE] as const),
  ['town-news.example', SITE],
  ['city-guide.example', SITE],
  ['harbour.edu', SITE],
  [SITE, 'market-days.example'],
];
