import {
  ENOUGH_INDEPENDENT,
  formsOf,
  GREEN_ABOVE_INDEPENDENT,
  isGrouped,
  LINKS_TELL_FROM,
  type TrustSentences,
} from './words.ts';

const { number, percent, tenths, points, languageName, hundredths, twoDecimals, plural } =
  formsOf('en');

/** Where trust begins. */
const trusted = 'universities, public bodies and sites that the operator of this service trusts';

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
      `By links, direct or through other sites, it gets ${hundredths(share)} out of 100 among the sites we know (100 is the top). Who links counts, not only how many do.`,
    donors: (count) =>
      `${plural(count, { one: 'One site links', other: `${number(count)} sites link` })} to it; a link from a site that is well linked and trusted itself counts more than others.`,
    neutral: (share) =>
      share < LINKS_TELL_FROM
        ? `In this set of links it is hard to tell a good site from a bad one by the number of its links. So links have a weight of only ${percent(share)} in the score; the rest is the same for every site.`
        : `In this set of links, the number of links does not always tell a good site from a bad one. So links have a weight of ${percent(share)} in the score; the rest is the same for every site.`,
    base_rate: () =>
      "The probability of spam starts from the share of spam on the lists of this service's operator and on the web as a whole. What is known of this site then raises or lowers it.",
    donors_link_to_spam: () =>
      'The sites that link to it link to known spam more than to reliable sites, which makes spam more probable.',
    donors_link_to_trusted: () =>
      'The sites that link to it link to reliable sites more than to known spam, which makes spam less probable.',
    links_toward_spam: (_, { isListedSpam }) =>
      isListedSpam
        ? 'The formula also measures how near a site is to listed spam by its links. This one is on that list itself, which makes spam still more probable.'
        : 'By the data on links, it links to known spam, or to sites that link to spam, more often than is usual. That makes spam more probable.',
    linked_by_institutions: (count) =>
      `In the whole web, ${plural(count, { one: 'one university or public body links', other: `${number(count)} universities and public bodies link` })} to it, which is rare for spam.`,
    votes_without_trust: () =>
      'It is linked more than it is trusted. That is the mark of a link farm: sites that were made to link to each other.',
    listed_as_spam: () => "It is on the list of spam of this service's operator.",
    listed_as_trusted: () => "It is on the list of reliable sites of this service's operator.",
    hidden_links: () =>
      'Its home page has links that readers cannot see, which makes spam more probable.',
    many_external_links: () =>
      'Its home page links to very many other sites, which makes spam more probable.',
    repeated_anchors: () =>
      'On its home page, links to different sites have the same text, which makes spam more probable.',
    few_donors: (count) =>
      count === 0
        ? 'None of the sites we know links to it, so next to nothing is known of it.'
        : `Only ${plural(count, { one: 'one site', other: `${number(count)} sites` })} known to us ${plural(count, { one: 'links', other: 'link' })} to it, so little is certain.`,
    links_of_platform: () =>
      'The data on links has only the platform that hosts the site. Links, score and colour are those of the platform, and say nothing about this site; only the home page is its own.',
    few_independent_donors: (count, { donors, deduction }) =>
      count === 0
        ? `${plural(donors, { one: 'One site links', other: `${number(donors)} sites link` })} to it. No reliable site leads to ${donors === 1 ? 'that one' : 'any of them'}, directly or through others, so these links hardly count.`
        : [
            isGrouped(count, donors)
              ? `Of the ${number(donors)} sites that link to it, only ${number(count)} ${plural(count, { one: 'counts', other: 'count' })} as independent. Only the same few sites lead to the others, as is usual for sites of one owner or one circle. They add nothing to that number.`
              : `Only ${plural(count, { one: 'one independent site links', other: `${number(count)} independent sites link` })} to it.`,
            ...(deduction
              ? [
                  `So few allow at most ${twoDecimals(deduction.to)} points; the rest of its ${twoDecimals(deduction.from)} is deducted. With ${number(ENOUGH_INDEPENDENT)} of them, nothing would be deducted.`,
                ]
              : []),
            ...(count > GREEN_ABOVE_INDEPENDENT
              ? []
              : [
                  `A score above 5, which green needs, takes more than ${number(GREEN_ABOVE_INDEPENDENT)}. Most sites, good ones too, do not have so many.`,
                ]),
          ].join(' '),
    little_reach: () =>
      'This set of links is too small, or has too few reliable sites, to tell independent sites from sites that were made only to link to each other. So the score may be too high.',
    no_release: () =>
      'This server has no data on who links to whom (no link graph), so there is no verdict.',
  },
  colourWhy: {
    no_release: () =>
      'This server has no data on who links to whom (no link graph), so there is no verdict.',
    green: ({ xt, spam }) =>
      `Green, because the score of ${xt} is above 5 and the probability of spam, ${spam}, is at most 7%.`,
    orange_score: ({ xt }) => `Orange, because the score of ${xt} is at most 3.`,
    orange_spam: ({ spam }) => `Orange, because the probability of spam, ${spam}, is above 12%.`,
    orange_both: ({ xt, spam }) =>
      `Orange, because the score of ${xt} is at most 3 and the probability of spam, ${spam}, is above 12%.`,
    yellow_unknown: () =>
      'Yellow, because too little is known to call it good or bad: the set of links has no links of this site. That is the one exception to the rule of colours.',
    yellow_score: ({ xt }) => `Yellow, because the score of ${xt} is above 3, but not above 5.`,
    yellow_spam: ({ spam }) =>
      `Yellow, because the probability of spam, ${spam}, is above 7%, but not above 12%.`,
    yellow_both: ({ xt, spam }) =>
      `Yellow, because the score of ${xt} is above 3, but not above 5, and the probability of spam, ${spam}, is above 7%, but not above 12%.`,
  },
  colourRule:
    'The rule for every site: green, if the score is above 5 and the probability of spam is at most 7%; orange, if the score is at most 3 or the probability of spam is above 12% (one is enough); otherwise yellow.',
  confidenceWhy: {
    none: 'Confidence is none: without data on links nothing is known.',
    platform: 'Confidence is low: little is known of the site itself.',
    medium:
      'Confidence is medium: enough is known of the sites that link to it for a rough judgement, not for a firm one.',
    high: 'Confidence is high: enough sites link to it to judge it by their links. That does not mean that the site is good.',
  },
  lowConfidence: ({ hasDonors, xt, spam }) =>
    [
      hasDonors
        ? 'Confidence is low: too few independent sites link to it to judge it by links.'
        : 'Confidence is low: there are no links to judge it by.',
      xt === null
        ? `The score of ${tenths(0)} means that no recognition by reliable sites was found. It does not mean that the site is bad.`
        : `So the score of ${xt} does not tell whether the site is good or bad.`,
      ...(spam === null ? [] : [`The probability of spam, ${spam}, speaks against it.`]),
    ].join(' '),
  about:
    'The score shows whether other, reliable sites recognise this one by linking to it, directly or through others. It does not show whether it tells the truth or deals honestly. Spam means a junk or deceptive site here.',
  advice: {
    зел: 'Green does not promise that a deal will be honest: before you pay, check the address, the phone number and reviews.',
    жел: 'Before you pay or leave personal data, check the address, the phone number and reviews.',
    ор: 'Before you pay or leave personal data, check the address, the phone number and reviews: orange warns, but proves nothing.',
  },
  adviceIfParked:
    'Do not order or pay for anything here. If a site opens at this address again, it may have a new owner: check it anew.',
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
