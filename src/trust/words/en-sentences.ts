import {
  degree,
  formsOf,
  GREEN_ABOVE_INDEPENDENT,
  HIGH_FROM,
  INDEPENDENT_MAX,
  isGrouped,
  LINKS_TELL_FROM,
  LOW_BELOW,
  type TrustSentences,
} from './words.ts';

const { number, percent, tenths, points, languageName, plural } = formsOf('en');

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
      `Trust: links pass it on, from ${trusted}. ${degree(share, ['Very much', 'Much', 'Some', 'Little', 'Hardly any'])} of it reaches this site.`,
    page_rank: (share) =>
      `Counted with the links of those that link to it, it is ${degree(share, ['one of the most linked sites', 'a well linked site', 'a moderately linked site', 'a little linked site', 'hardly linked at all'])}.`,
    donors: (count) =>
      `Links: ${plural(count, { one: 'one site links', other: `${number(count)} sites link` })} to it. A link counts for more if the site that it is on is trusted and linked to itself.`,
    neutral: (share) =>
      share < LINKS_TELL_FROM
        ? 'A start that every site gets, since in these data the number of links hardly tells a good site from a bad one.'
        : 'A start that every site gets, since in these data the number of links does not always tell a good site from a bad one.',
    base_rate: () =>
      "The risk of spam starts from the share of spam on the lists of this service's operator.",
    donors_link_to_spam: () =>
      'The sites that link to it link to known spam more than to trusted sites, which raises the risk of spam.',
    donors_link_to_trusted: () =>
      'The sites that link to it link to trusted sites more than to known spam, which lowers the risk of spam.',
    links_toward_spam: (_, { isListedSpam }) =>
      isListedSpam
        ? 'The formula also measures how near a site is to listed spam by its links. This one is on that list itself, which raises the risk of spam still more.'
        : 'By the data on links, it links to known spam, or to sites that link to spam, more often than is usual. That raises the risk of spam.',
    linked_by_institutions: (count) =>
      `In the whole web, ${plural(count, { one: 'one university or public body links', other: `${number(count)} universities and public bodies link` })} to it, which is rare for spam.`,
    votes_without_trust: () =>
      'It is linked more than it is trusted. That is the mark of a link farm: sites that were made to link to each other.',
    listed_as_spam: () => "It is on the list of spam of this service's operator.",
    listed_as_trusted: () => "It is on the list of trusted sites of this service's operator.",
    hidden_links: () =>
      'Its home page has links that readers cannot see, which raises the risk of spam.',
    many_external_links: () =>
      'Its home page links to very many other sites, which raises the risk of spam.',
    repeated_anchors: () =>
      'On its home page, links to different sites have the same text, which raises the risk of spam.',
    few_donors: (count) =>
      count === 0
        ? 'None of the sites we know links to it, so next to nothing is known of it.'
        : `Only ${plural(count, { one: 'one site', other: `${number(count)} sites` })} known to us ${plural(count, { one: 'links', other: 'link' })} to it, so little is certain.`,
    links_of_platform: () =>
      'The data on links has only the platform that hosts the site. Links, score and colour are those of the platform, and say nothing about this site; only the home page is its own.',
    few_independent_donors: (count, { donors, mostPoints }) =>
      [
        count === 0
          ? `No independent sites: trust comes to ${plural(donors, { one: 'no site that links', other: `none of the ${number(donors)} sites that link` })} to it.`
          : isGrouped(count, donors)
            ? `Few independent sites: of the ${number(donors)} that link to it, only ${number(count)} ${plural(count, { one: 'counts', other: 'count' })}. Trust comes to the others only through the same few sites, as is usual where many sites have one owner.`
            : `Few independent sites: ${number(count)} ${plural(count, { one: 'links', other: 'link' })} to it. Independent means that trust comes to each by a way of its own, so that no one owner can have made them all.`,
        ...(mostPoints === null
          ? []
          : [
              `With ${count === 0 ? 'none' : number(count)}, a site gets ${tenths(mostPoints)} points at most; what is above that is taken off.`,
            ]),
      ].join(' '),
    little_reach: () =>
      'These data on links are too small, or have too few trusted sites, to tell independent sites from sites that were made only to link to each other. So the score may be too high.',
    no_release: () =>
      'This server has no data on who links to whom (no link graph), so there is no verdict.',
  },
  colourWhy: {
    no_release: () =>
      'This server has no data on who links to whom (no link graph), so there is no verdict.',
    green: ({ xt, spam }) =>
      `Green, because the score of ${xt} is above 5 and the risk of spam, ${spam}, is at most 7%.`,
    orange_score: ({ xt }) => `Orange, because the score of ${xt} is at most 3.`,
    orange_spam: ({ spam }) => `Orange, because the risk of spam, ${spam}, is above 12%.`,
    orange_both: ({ xt, spam }) =>
      `Orange, because the score of ${xt} is at most 3 and the risk of spam, ${spam}, is above 12%.`,
    yellow_unknown: () =>
      'Yellow, because nothing is known of it: the data have no links to it and none from it. Such a site is yellow, whatever its score.',
    yellow_score: ({ xt }) => `Yellow, because the score of ${xt} is above 3, but not above 5.`,
    yellow_spam: ({ spam }) =>
      `Yellow, because the risk of spam, ${spam}, is above 7%, but not above 12%.`,
    yellow_both: ({ xt, spam }) =>
      `Yellow, because the score of ${xt} is above 3, but not above 5, and the risk of spam, ${spam}, is above 7%, but not above 12%.`,
  },
  colourRule:
    'For every site: green is a score above 5 with a risk of spam of at most 7%; orange is a score of at most 3, or a risk above 12%; yellow is all between.',
  confidenceWhy: {
    platform: () => 'Confidence is low: little is known of the site itself.',
    rough: () => 'Confidence is medium: these data on links allow only a rough judgement.',
    low: ({ count, isIndependent, hasDonors, xt, spam }) =>
      [
        hasDonors
          ? `Confidence is low: ${sitesLink(count, isIndependent)}, and at least ${LOW_BELOW} are needed to judge a site by its links.`
          : 'Confidence is low: there are no links to judge it by.',
        xt === null
          ? `The score of ${tenths(0)} means that no site was found that recognises it. It does not mean that the site is bad.`
          : `So the score of ${xt} does not tell whether the site is good or bad.`,
        ...(spam === null ? [] : [`The risk of spam, ${spam}, speaks against it.`]),
      ].join(' '),
    medium: ({ count, isIndependent, lacksDonors }) =>
      `Confidence is medium: ${sitesLink(count, isIndependent)}; from ${HIGH_FROM} on it would be high.${lacksDonors ? greenNeeds : ''}`,
    high: ({ count, isIndependent, lacksDonors }) =>
      `Confidence is high: ${sitesLink(count, isIndependent)}, and ${HIGH_FROM} are enough to be sure of a score, be it high or low.${lacksDonors ? greenNeeds : ''}`,
  },
  spamRisk: ({ risk, start, isFree }) => {
    const [now, before] = [percent(risk), percent(start)];
    const cause =
      now === before
        ? 'Every site starts with that, and nothing known of this one changes it.'
        : `Every site starts with ${before}; what is known of this one ${risk > start ? 'raised' : 'lowered'} it (below).`;
    const effect = isFree
      ? 'So low a risk takes off nothing.'
      : 'The higher it is, the more points are taken off: at 100%, four fifths of them.';
    return `Risk of spam: ${now}. ${cause} ${effect}`;
  },
  about:
    'The score shows whether other, trusted sites recognise this one by linking to it, directly or through others. It does not show whether it tells the truth or deals honestly. Spam means a junk or deceptive site here.',
  advice: {
    зел: 'You can read and use it. Green does not promise that a deal will be honest: before you pay, check the address, the phone number and reviews, as everywhere.',
    жел: 'Reading it is fine. Before you pay or leave personal data, check the address, the phone number and reviews elsewhere; if you cannot find them, do not pay.',
    ор: 'Reading it is fine. Do not pay or leave personal data before you have checked the address, the phone number and reviews elsewhere. Orange warns, but proves nothing: little known sites get it, too.',
  },
  adviceIfSpam:
    'Do not pay, leave personal data or download anything here, unless you know who runs the site. Orange warns, but proves nothing.',
  adviceIfParked:
    'Do not order or pay for anything here. If a site opens at this address again, it may have a new owner: check it anew.',
  basis: (release, formula) =>
    `Made by formula ${formula} from the data “${release}”, which say which sites link to which.`,
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

/** Why yellow is no bad mark. */
const greenNeeds = ` Green takes more than ${GREEN_ABOVE_INDEPENDENT}; most sites, good ones too, do not have so many.`;

function sitesLink(count: number, isIndependent: boolean): string {
  const kind = isIndependent ? 'independent ' : '';
  return `${count === 0 ? 'no' : number(count)}${isIndependent && count === INDEPENDENT_MAX ? ' or more' : ''} ${kind}${plural(count, { one: 'site links', other: 'sites link' })} to it`;
}
