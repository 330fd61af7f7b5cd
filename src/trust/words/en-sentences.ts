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

const { number, percent, wholePercent, tenths, points, languageName, plural } = formsOf('en');

const colours = { зел: 'green', жел: 'yellow', ор: 'orange' } as const;

export const enTrustSentences: TrustSentences = {
  number,
  percent,
  tenths,
  points,
  languageName,
  why: {
    trust_rank: (share, { weights }) =>
      `Trust (weight ${wholePercent(weights.trust)}): paths of links from universities, public bodies and sites listed by whoever runs this service bring ${degree(share, ['very much', 'much', 'some', 'little', 'hardly any'])} of it here.`,
    page_rank: (share) =>
      `Counted with the links of those that link to it, it is ${degree(share, ['one of the most linked sites', 'a well linked site', 'a moderately linked site', 'a little linked site', 'hardly linked at all'])}.`,
    donors: (count, { weights }) =>
      `Links (weight ${wholePercent(weights.links)}): ${plural(count, { one: 'one site links', other: `${number(count)} sites link` })} to it. Links from trusted, much linked sites count for more.`,
    neutral: (share) =>
      share < LINKS_TELL_FROM
        ? 'A start that every site gets, since in these data the number of links hardly tells a good site from a bad one.'
        : 'A start that every site gets, since in these data the number of links does not always tell a good site from a bad one.',
    base_rate: () => 'The risk of spam starts from the share of spam on the lists of this service.',
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
    listed_as_spam: () => 'It is on the list of spam of whoever runs this service.',
    listed_as_trusted: () => 'It is on the list of trusted sites of whoever runs this service.',
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
    few_independent_donors: (count, { donors, ceiling }) => {
      const independent = independentOf(count, donors);
      if (ceiling === null) return independent;
      const { points: most, without } = ceiling;
      const otherwise =
        without &&
        `; without this ceiling, its ${tenths(without.points)} would make it ${colours[without.colour]}`;
      return `Ceiling: links can be bought, so the number of independent sites limits the sum of these points. ${independent} With ${count === 0 ? 'none' : number(count)}, a site gets ${tenths(most)} points at most${otherwise ?? ''}.`;
    },
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
    orange_score: ({ xt }) =>
      `Orange, because the score of ${xt} is at most 3: too little speaks for the site, which does not mean that it is bad.`,
    orange_spam: ({ spam }) => `Orange, because the risk of spam, ${spam}, is above 12%.`,
    orange_both: ({ xt, spam }) =>
      `Orange, because the score of ${xt} is at most 3 and the risk of spam, ${spam}, is above 12%.`,
    yellow_unknown: () =>
      'Yellow, because nothing is known of it: the data have no links to it and none from it. Without links, the score is no verdict.',
    yellow_score: ({ xt }) => `Yellow, because the score of ${xt} is above 3, but not above 5.`,
    yellow_spam: ({ spam }) =>
      `Yellow, because the risk of spam, ${spam}, is above 7%, but not above 12%.`,
    yellow_both: ({ xt, spam }) =>
      `Yellow, because the score of ${xt} is above 3, but not above 5, and the risk of spam, ${spam}, is above 7%, but not above 12%.`,
  },
  colourRule:
    'For a site that has links, green takes a score above 5 and a risk of at most 7%; orange is a score of at most 3, or a risk above 12%; yellow is all between.',
  confidenceWhy: {
    platform: () => 'The score is not measured reliably: little is known of the site itself.',
    rough: () => 'The score is measured roughly: these data on links allow no better.',
    low: ({ count, isIndependent, hasDonors, isZero, spam }) =>
      [
        hasDonors
          ? `The score is not measured reliably: ${sitesLink(count, isIndependent)}, and it takes at least ${LOW_BELOW}.`
          : 'The score is not measured reliably: there are no links to judge the site by.',
        ...(isZero
          ? [
              `The score of ${tenths(0)} means that no site was found that recognises it. It does not mean that the site is bad.`,
            ]
          : []),
        ...(spam === null ? [] : [`The risk of spam, ${spam}, speaks against it.`]),
      ].join(' '),
    medium: ({ count, isIndependent, lacksDonors }) =>
      `The score is measured roughly: ${sitesLink(count, isIndependent)}; from ${HIGH_FROM} on it would be reliable.${lacksDonors ? greenNeeds : ''}`,
    high: ({ count, isIndependent, lacksDonors }) =>
      `The score is measured reliably: ${sitesLink(count, isIndependent)}, and ${HIGH_FROM} are enough to know how well a site is recognised.${lacksDonors ? greenNeeds : ''}`,
  },
  spamRisk: ({ risk, start, isTold, isFree }) => {
    const [now, before] = [percent(risk), percent(start)];
    const change = now === before ? 'hardly changed' : risk > start ? 'raised' : 'lowered';
    const cause = isTold
      ? `Every site starts with ${before}; what is known of this one ${change} it (below).`
      : `${now === before ? 'The usual value' : `About the usual value of ${before}`}: nothing is known that raises or lowers it. It does not mean that the site is safe.`;
    const effect = 'The higher, the more points it takes off: at 100%, four fifths of them.';
    return `Risk of spam: ${now}. ${cause}${isFree ? '' : ` ${effect}`}`;
  },
  about:
    'The score shows whether trusted sites recognise this one by linking to it, directly or through others. It does not show whether it tells the truth or deals honestly. Spam means a junk or deceptive site here.',
  advice: {
    зел: 'You can read and use it. Green does not promise an honest deal: before you pay, check the address, the phone number and reviews, as everywhere.',
    жел: 'Reading it is fine. Before you pay or leave personal data, check the address, the phone number and reviews elsewhere; if you cannot find them, do not pay.',
    ор: 'Reading it is fine. Do not pay or leave personal data before you have found its address, phone number and reviews elsewhere.',
  },
  adviceIfSpam:
    'Do not pay, leave personal data or download anything here. The risk is an estimate, mostly from links, and no proof, but reason enough to stay away.',
  adviceIfParked:
    'Do not order or pay for anything here. If a site opens at this address again, it may have a new owner: check it anew.',
  basis: (release, formula) =>
    `Calculated with version ${formula} of the formula from the link data “${release}”.`,
  newestFirst: 'newest first',
  homePage: {
    unread: () => 'Its home page has not been read, so whether it works is unknown.',
    unreachable: () => 'Its home page could not be read, so whether it works is unknown.',
    refused: (status) =>
      `Its home page answered with the error ${status}, so whether it works is unknown.`,
    elsewhere: (address) => `Its home page leads to another site: ${address}`,
    parked: () =>
      'There is no site now: its address is for sale or not in use. The score is about links, which may be left from a former owner.',
    unclear: () => 'Its home page was read, but whether the site works now is unknown.',
  },
  wholeWebSays: ({ donors, institutionDonors, firstSeen, before }) =>
    firstSeen === null
      ? 'never seen'
      : `${number(donors)} ${plural(donors, { one: 'site links', other: 'sites link' })} to it${before ? ` (${number(before.donors)} in ${before.release})` : ''}, of them universities and public bodies: ${number(institutionDonors)}; first seen in ${firstSeen}`,
};

/** How many of the sites are independent, and what became of the others. */
function independentOf(count: number, donors: number): string {
  const others = donors - count;
  if (others <= 0) {
    return plural(donors, {
      one: 'One site links to it.',
      other: `${number(donors)} sites link to it, independent of each other.`,
    });
  }
  const sites = plural(donors, {
    one: 'one site that links',
    other: `${number(donors)} that link`,
  });
  if (count === 0) return `None is independent: no trust reaches the ${sites} to it.`;
  const counts = `${isGrouped(count, donors) ? 'Only ' : ''}${number(count)} of the ${sites} to it ${plural(count, { one: 'counts', other: 'count' })} as independent`;
  const rest = plural(others, { one: 'other one', other: `other ${number(others)}` });
  const owner = isGrouped(count, donors) ? ', as is usual where many have one owner' : '';
  return `${counts}; trust reaches the ${rest} only through the same sites${owner}.`;
}

/** Why yellow is no bad mark. */
const greenNeeds = ` Green takes more than ${GREEN_ABOVE_INDEPENDENT}, so that it is hard to buy; most good sites have fewer.`;

function sitesLink(count: number, isIndependent: boolean): string {
  const kind = isIndependent ? 'independent ' : '';
  return `${count === 0 ? 'no' : number(count)}${isIndependent && count === INDEPENDENT_MAX ? ' or more' : ''} ${kind}${plural(count, { one: 'site links', other: 'sites link' })} to it`;
}
