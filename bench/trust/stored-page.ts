import type { Pages } from '../../src/trust/index.ts';

type StoredPage = Parameters<Pages['store']>[0];

/** An ordinary home page as it is stored. */
export function storedPage(domain: string, fetchedAt: number): StoredPage {
  return {
    ok: true,
    domain,
    fetchedAt,
    status: 200,
    url: `https://${domain}/`,
    sameDomain: true,
    workable: true,
    facts: {
      html: true,
      title: `Главная страница сайта ${domain}`,
      language: 'ru',
      languageSource: 'declared',
      pages: { contact: null, privacy: null, imprint: null },
      links: [],
      internalUrls: [],
      nofollow: false,
      refresh: null,
      parked: false,
      features: { hiddenLinks: 0, externalDomains: 7, repeatedAnchorShare: 0.1 },
    },
  };
}
