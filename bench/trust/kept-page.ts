import type { Pages } from '../../src/trust/index.ts';

type KeptPage = Parameters<Pages['keep']>[0];

/** What is kept of an ordinary home page. */
export function keptPage(domain: string, fetchedAt: number): KeptPage {
  const evidence = { statusOk: true, html: true, sameDomain: true, notParked: true };
  const features = {
    textCharacters: 4200,
    textShare: 0.2,
    internalLinks: 60,
    externalLinks: 9,
    externalDomains: 7,
    followedExternalLinks: 8,
    linkTextShare: 0.05,
    hiddenLinks: 0,
    stuffedAnchorShare: 0,
    repeatedAnchorShare: 0.1,
    spamTermsPerThousandWords: 0,
    titleRepetition: 0.2,
    keywordsCharacters: 0,
    scripts: 12,
    frames: 0,
  };
  return {
    ok: true,
    domain,
    fetchedAt,
    status: 200,
    url: `https://${domain}/`,
    redirects: 0,
    sameDomain: true,
    truncated: false,
    workable: true,
    evidence,
    facts: {
      html: true,
      title: `Главная страница сайта ${domain}`,
      language: 'ru',
      charset: { name: 'utf-8', source: 'header' },
      links: [],
      linksTruncated: false,
      internalUrls: [],
      canonical: null,
      refresh: null,
      robots: { noindex: false, nofollow: false },
      parked: { parked: false, signs: [] },
      features,
    },
  };
}
