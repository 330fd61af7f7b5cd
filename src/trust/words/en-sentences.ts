import {
  formsOf,
  GREEN_ABOVE_INDEPENDENT,
  isGrouped,
  LINKS_TELL_FROM,
  type TrustSentences,
} from './words.ts';

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
      `Links pass trust on, from ${trusted}. By the trust that reaches it, this site gets ${hundredths(share)} out of 100 (100 is the most trusted).`,
    page_rank: (share) =>
      `By links, direct or through other sites, it gets ${hundredths(share)} out of 100 among the sites we know (100 is the most linked).`,
    donors: (count) =>
      `${plural(count, { one: 'One site links', other: `${number(count)} sites link` })} to it; a link from a site that is well linked and trusted itself counts more than others.`,
    neutral: (share) =>
      share < LINKS_TELL_FROM
        ? `In this set of links it is hard to tell a good site from a bad one by the number of its links. So links have a weight of only ${percent(share)} in the score; the rest is the same for every site.`
        : `In this set of links, the number of links does not always tell a good site from a bad one. So links have a weight of ${percent(share)} in the score; the rest is the same for every site.`,
    base_rate: () =>
      "The probability of spam starts from the share of spam on the lists of this server's operator and on the web as a whole. What is known of this site then raises or lowers it.",
    donors_link_to_spam: () =>
      'The sites that link to it link to known spam more than to trusted sites, which makes spam more probable.',
    donors_link_to_trusted: () =>
      'The sites that link to it link to trusted sites more than to known spam, which makes spam less probable.',
    links_toward_spam: () =>
      'It links to known spam, or to sites that link to spam, more often than is usual, which makes spam more probable.',
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
    few_independent_donors: (count, donors) =>
      count === 0
        ? 'No reliable site links to the sites that link to it, not even through others, so their links count for little.'
        : [
            isGrouped(count, donors)
              ? `Of the ${number(donors)} sites that link to it, only ${number(count)} ${plural(count, { one: 'counts', other: 'count' })} as independent, which limits the score. The rest of the web knows the others only through the same few sites, as is usual for sites of one owner or one circle, so they count together.`
              : `Only ${plural(count, { one: 'one independent site links', other: `${number(count)} independent sites link` })} to it, which limits the score.`,
            ...(count > GREEN_ABOVE_INDEPENDENT
              ? []
              : [
                  `Green needs more than ${number(GREEN_ABOVE_INDEPENDENT)} independent ones. Most sites, good ones too, do not have so many.`,
                ]),
          ].join(' '),
    little_reach: () =>
      'This set of links is too small, or has too few trusted sites, to tell independent sites from sites that were made only to link to each other. So the score may be too high.',
    no_release: () =>
      'This server has no data on who links to whom (no link graph), so there is no verdict.',
  },
  colourWhy: {
    no_release: () =>
      'This server has no data on who links to whom (no link graph), so there is no verdict.',
    green: ({ xt, spam }) =>
      `Green, because the score of ${xt} is above 5 and the probability of spam, ${spam}, is at most 7%.`,
    orange_score: ({ xt }) => `Orange, because the score of ${xt} is not above 3.`,
    orange_spam: ({ spam }) => `Orange, because the probability of spam, ${spam}, is above 12%.`,
    orange_both: ({ xt, spam }) =>
      `Orange, because the score of ${xt} is not above 3 and the probability of spam, ${spam}, is above 12%.`,
    yellow_unknown: ({ xt }) =>
      `Yellow, because too little is known to call it good or bad. The score of ${xt} means “not known” here.`,
    yellow_score: ({ xt }) =>
      `Yellow, because the score of ${xt} is between 3 and 5: up to 3 it would be orange, above 5 green.`,
    yellow_spam: ({ xt, spam }) =>
      `Yellow, because the probability of spam, ${spam}, is above the 7% allowed for green. The score of ${xt} would be enough for green.`,
    yellow_both: ({ xt, spam }) =>
      `Yellow, because the score of ${xt} is between 3 and 5 (green is above 5) and the probability of spam, ${spam}, is above the 7% allowed for green.`,
  },
  confidenceWhy: {
    none: 'Confidence is none: without data on links nothing is known.',
    low: 'Confidence is low: too few independent sites link to it to judge it by links. It may be better or worse than its score.',
    platform: 'Confidence is low: little is known of the site itself.',
    medium:
      'Confidence is medium: enough is known of the sites that link to it for a rough judgement, not for a firm one.',
    high: 'Confidence is high: so much is known of the sites that link to it that single links hardly change the score. That is about the score, not about the site.',
  },
  about:
    'The score shows whether other, reliable sites recognise this one by linking to it, directly or through others. It does not show whether it tells the truth or deals honestly. Spam means a junk or deceptive site here.',
  advice: {
    зел: 'Green promises no honest deal: before you pay, check the address, the phone number and reviews.',
    жел: 'Before you pay or leave personal data, check the address, the phone number and reviews.',
    ор: 'Before you pay or leave personal data, check the address, the phone number and reviews: orange warns, but proves nothing.',
  },
  basis: (release, formula) =>
    `Made by formula ${formula} from the set of links “${release}”, which says which sites link to which.`,
  newestFirst: 'newest first',
  homePage: {
    unread: () => 'Its home page has not been read, so whether it works is unknown.',
    unreachable: () => 'Its home page could not be read, so whether it works is unknown.',
    refused: (status) =>
      `Its home page answered with the error ${status}, so whether it works is unknown.`,
    elsewhere: (address) => `Its home page leads to another site: ${address}`,
    parked: () =>
      'There is no site now: its address is for sale or not in use. The score is about links, which may be left from a former owner.',
    works: () => 'It works: its home page was read.',
    unclear: () => 'Its home page was read, but whether the site works now is unknown.',
  },
  wholeWebSays: ({ donors, institutionDonors, firstSeen, before }) =>
    firstSeen === null
      ? 'never seen'
      : `${number(donors)} ${plural(donors, { one: 'site links', other: 'sites link' })} to it${before ? ` (${number(before.donors)} in ${before.release})` : ''}, of them universities and public bodies: ${number(institutionDonors)}; first seen in ${firstSeen}`,
};
