import { byStep, formsOf, GREEN_ABOVE_INDEPENDENT, type TrustSentences } from './words.ts';

const { number, percent, tenths, points, languageName, hundredths, plural } = formsOf('en');

/** Where trust begins. */
const trusted = 'universities, public bodies and sites that the operator trusts';

export const enTrustSentences: TrustSentences = {
  number,
  percent,
  tenths,
  points,
  languageName,
  why: {
    trust_rank: (share) =>
      `Links pass trust on. It begins at ${trusted}; ${byStep(share, ['hardly any of it', 'some of it', 'much of it', 'very much of it'])} reaches this site (${hundredths(share)} on a scale to 100).`,
    page_rank: (share) =>
      `Compared with all sites whose links are known, this one is ${byStep(share, ['hardly', 'somewhat', 'well', 'very well'])} linked, directly or through others (${hundredths(share)} on a scale to 100).`,
    donors: (count) =>
      `${plural(count, { one: 'One site links', other: `${number(count)} sites link` })} to it; a link from a site that is well linked and trusted itself counts more than others.`,
    neutral: (share) =>
      `Among the links that this server knows, bad sites are linked about as much as good ones. So links count for little here (${percent(share)}), and most of the points are the same for every site.`,
    base_rate: (share) =>
      `The probability of spam starts from how common spam is: on the operator's lists (weight ${percent(share)}), and on the web as a whole.`,
    donors_link_to_spam: () =>
      'The sites that link to it also link to known spam more than to trusted sites, which makes spam more probable.',
    donors_link_to_trusted: () =>
      'The sites that link to it also link to trusted sites more than to known spam, which makes spam less probable.',
    links_toward_spam: () =>
      'Its own links lead to known spam, or to sites that link there, more often than those of sites that are linked as much.',
    linked_by_institutions: (count) =>
      `In the whole web, ${plural(count, { one: 'one university or public body links', other: `${number(count)} universities and public bodies link` })} to it, which is rare for spam.`,
    votes_without_trust: () =>
      'It is linked more than it is trusted. That is the mark of a link farm: sites that were made to link to each other.',
    listed_as_spam: () => "It is on the operator's list of spam.",
    listed_as_trusted: () => "It is on the operator's list of trusted sites.",
    hidden_links: () =>
      'Its home page has links that readers cannot see, which makes spam more probable.',
    many_external_links: () =>
      'Its home page links to very many other sites, which makes spam more probable.',
    repeated_anchors: () =>
      'On its home page, links to different sites have the same text, which makes spam more probable.',
    few_donors: (count) =>
      count === 0
        ? 'No known site links to it, so next to nothing is known of it.'
        : `Only ${plural(count, { one: 'one site', other: `${number(count)} sites` })} known to us ${plural(count, { one: 'links', other: 'link' })} to it, so little is certain.`,
    links_of_platform: () =>
      'The data on links has only the platform that hosts the site. Links, score and colour are those of the platform, and say nothing about this site; only the home page is its own.',
    few_independent_donors: (count) =>
      count === 0
        ? 'Trust reaches none of the sites that link to it, so their links count for little.'
        : `Trust reaches it through only ${plural(count, { one: 'one independent site', other: `${number(count)} independent sites` })}: sites that all have their trust from the same few others count as those few. This limits the score, however many sites link to it: green needs more than ${number(GREEN_ABOVE_INDEPENDENT)} independent ones, which few sites have.`,
    no_release: () =>
      'This server has no data on who links to whom (no link graph), so there is no verdict.',
  },
  colourWhy: {
    no_release:
      'This server has no data on who links to whom (no link graph), so there is no verdict.',
    green: 'Green, because the score is above 5 and the probability of spam is at most 7%.',
    orange_score: 'Orange, because the score is not above 3.',
    orange_spam: 'Orange, because the probability of spam is above 12%.',
    orange_both:
      'Orange, because the score is not above 3 and the probability of spam is above 12%.',
    yellow_unknown:
      'Yellow, because too little is known to call it good or bad: this is no verdict.',
    yellow_score: 'Yellow, because the score is above 3 but not above 5, where green begins.',
    yellow_spam:
      'Yellow, because the score would be enough for green, but the probability of spam is above 7%.',
    yellow_both:
      'Yellow, because the score is above 3. Green would need a score above 5 and a probability of spam of at most 7%.',
  },
  confidenceWhy: {
    none: 'Confidence is none: without data on links nothing is known.',
    low: 'Confidence is low: little is known of this site, or of those that link to it. So a low score does not mean that the site is bad.',
    medium:
      'Confidence is medium: enough is known of the sites that link to it for an estimate, not for certainty.',
    high: 'Confidence is high: so much is known of the sites that link to it that single links hardly change the score.',
  },
  about:
    'The score tells how much sites that can be trusted link to this one, directly or through others. It does not tell whether what the site says is true.',
  homePage: {
    unread: () => 'Its home page has not been read, so whether it works is unknown.',
    unreachable: () => 'Its home page could not be read, so whether it works is unknown.',
    refused: (status) =>
      `Its home page answered with the error ${status}, so whether it works is unknown.`,
    elsewhere: (address) => `Its home page leads to another site: ${address}`,
    parked: () =>
      'Its home page is only a placeholder: the domain is parked or for sale. The score does not count that: it is about links.',
    works: () => 'It works: its home page was read.',
    unclear: () => 'Its home page was read, but whether the site works now is unknown.',
  },
  wholeWebSays: ({ donors, institutionDonors, firstSeen, before }) =>
    firstSeen === null
      ? 'never seen'
      : `${number(donors)} ${plural(donors, { one: 'site links', other: 'sites link' })} to it${before ? ` (${number(before.donors)} in ${before.release})` : ''}, of them universities and public bodies: ${number(institutionDonors)}; first seen in ${firstSeen}`,
};
