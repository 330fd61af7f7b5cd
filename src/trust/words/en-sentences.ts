import { enTrustLabels } from './en.ts';
import { riskWords } from './labels.ts';
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

const { number, percent, part, tenths, points, languageName, plural } = formsOf('en');
const risk = (share: number) => riskWords(share, enTrustLabels, percent);

const colours = { зел: 'green', жел: 'yellow', ор: 'orange' } as const;

export const enTrustSentences: TrustSentences = {
  number,
  percent,
  part,
  risk,
  tenths,
  points,
  languageName,
  why: {
    trust_rank: (share, { isSource }) =>
      isSource
        ? 'Trust: it is itself a university, a public body or a site listed as trusted by whoever runs this service. Trust begins at such sites.'
        : `Trust: ${degree(share, ['very much', 'much', 'a fair amount', 'little', 'hardly any'])} of it reaches the site, over paths of links from universities, public bodies and sites listed by whoever runs this service.`,
    page_rank: (share) =>
      `Counted with the links of those that link to it, it is ${degree(share, ['one of the most linked sites', 'a well linked site', 'a moderately linked site', 'a little linked site', 'hardly linked at all'])}.`,
    donors: (count, { linksTell, donorsLinkToSpam }) =>
      `Links: ${linksHere(count)} to it. ${linksTell ? 'Links from trusted, much linked sites count for more.' : 'In these data the number of links does not tell good sites from bad ones, so links give no points.'}${linksTell && donorsLinkToSpam ? ' What kind of sites they are is judged under the risk of spam.' : ''}`,
    neutral: (share) =>
      share < LINKS_TELL_FROM
        ? 'A start that every site with links gets, since in these data the number of links hardly tells a good site from a bad one.'
        : 'A start that every site with links gets, since in these data the number of links does not always tell a good site from a bad one.',
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
      if (ceiling === null) return `${sentence(voices(count, donors))}.${sharing(count, donors)}`;
      const { points: most, without } = ceiling;
      const otherwise =
        without &&
        ` Without this ceiling its score would be ${tenths(without.xt)}: ${colours[without.colour]}.`;
      return `Ceiling: links can be bought, so the number of separate voices limits the sum of these points: with ${count === 0 ? 'none' : number(count)}, a site gets ${tenths(most)} at most.${otherwise ?? ''}`;
    },
    little_reach: () =>
      'These data on links are too small, or have too few trusted sites, to tell separate voices from sites that were made only to link to each other. So the score may be too high.',
    no_release: () =>
      'This server has no data on who links to whom (no link graph), so there is no verdict.',
  },
  colourWhy: {
    no_release: () =>
      'This server has no data on who links to whom (no link graph), so there is no verdict.',
    green: ({ xt, spam }) =>
      `Green, because the score of ${xt} is above 5 and the risk of spam (${spam}) is at most 7%.`,
    orange_score: ({ xt }) =>
      `Orange, because the score of ${xt} is at most 3: too little speaks for the site, which does not mean that it is bad.`,
    orange_spam: ({ spam }) => `Orange, because the risk of spam (${spam}) is above 12%.`,
    orange_both: ({ xt, spam }) =>
      `Orange, because the score of ${xt} is at most 3 and the risk of spam (${spam}) is above 12%.`,
    yellow_unknown: () =>
      'Yellow, because nothing is known of it: the data have no links to it and none from it, so there was nothing to measure. Here yellow means neither good nor bad.',
    yellow_score: ({ xt }) => `Yellow, because the score of ${xt} is above 3, but not above 5.`,
    yellow_spam: ({ spam }) =>
      `Yellow, because the risk of spam (${spam}) is above 7%, but not above 12%.`,
    yellow_both: ({ xt, spam }) =>
      `Yellow, because the score of ${xt} is above 3, but not above 5, and the risk of spam (${spam}) is above 7%, but not above 12%.`,
  },
  colourRule:
    'Green: a score above 5 and a risk of at most 7%. Orange: a score of at most 3, or a risk above 12%. Yellow: all between.',
  confidenceWhy: {
    platform: () => 'The score is not measured reliably: little is known of the site itself.',
    rough: ({ count, donors, lacksDonors }) =>
      `The score is measured roughly: ${voices(count, donors)}; these data on links allow no better.${sharing(count, donors)}${lacksDonors ? greenNeeds : ''}`,
    low: ({ count, donors, isZero, spam }) =>
      [
        donors > 0
          ? `The score is not measured reliably: ${voices(count, donors)}, and it takes at least ${LOW_BELOW}.${sharing(count, donors)}`
          : 'The score is not measured reliably: there are no links to judge the site by.',
        ...(isZero
          ? [
              `The score of ${tenths(0)} means that no site was found that recognises it. It does not mean that the site is bad.`,
            ]
          : []),
        ...(spam === null ? [] : [`The risk of spam (${spam}) speaks against it.`]),
      ].join(' '),
    medium: ({ count, donors, lacksDonors }) =>
      `The score is measured roughly: ${voices(count, donors)}; from ${HIGH_FROM} on it would be reliable.${sharing(count, donors)}${lacksDonors ? greenNeeds : ''}`,
    high: ({ count, donors, lacksDonors }) =>
      `The score is measured reliably: ${voices(count, donors)}, and ${HIGH_FROM} are enough to know how well a site is recognised.${sharing(count, donors)}${lacksDonors ? greenNeeds : ''}`,
  },
  spamRisk: ({ share, start, isExplained, isFree }) => {
    const [now, before] = [risk(share), risk(start)];
    const change = now === before ? 'hardly changed' : share > start ? 'raised' : 'lowered';
    const cause = isExplained
      ? `Every site starts with ${before}; what is known of this one ${change} it (below).`
      : `${now === before ? 'The usual value' : `About the usual value of ${before}`}: nothing is known that raises or lowers it. It does not mean that the site is safe.`;
    const effect = 'The higher, the more points it takes off, up to four fifths of them.';
    return `Risk of spam: ${now}. ${cause}${isFree ? '' : ` ${effect}`}`;
  },
  about:
    'The score shows whether trusted sites recognise this one by linking to it, directly or through others. It does not show whether it tells the truth or deals honestly. Spam means a junk or deceptive site here.',
  aboutEqualStart:
    'In these data the number of links does not tell good sites from bad ones. So every site with links starts with the same points, and only its risk of spam takes some off. The score does not show whether the site tells the truth or deals honestly. Spam means a junk or deceptive site here.',
  advice: {
    зел: 'You can read and use it. Green does not promise an honest deal: before you pay, check the address, the phone number and reviews, as everywhere.',
    жел: 'Reading it is fine. Before you pay or leave personal data, check the address, the phone number and reviews elsewhere; if you cannot find them, do not pay.',
    ор: 'Reading it is fine. Do not pay or leave personal data before you have found its address, phone number and reviews elsewhere.',
  },
  adviceIfSpam:
    'Do not pay, leave personal data or download anything here. The risk is calculated and can be wrong about a single site. It accuses nobody, but it is wiser to stay away.',
  adviceIfListedSpam:
    'Do not pay, leave personal data or download anything here. Whoever runs this service has put the site on the list of spam.',
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
      'There is no site now: its address is for sale or not in use. Score and risk are calculated from links, which may be left from a former site; they say nothing about whoever has the address now.',
    unclear: () => 'Its home page was read, but whether the site works now is unknown.',
  },
  wholeWebSays: ({ donors, institutionDonors, firstSeen, before }) =>
    firstSeen === null
      ? 'never seen'
      : `${number(donors)} ${plural(donors, { one: 'site links', other: 'sites link' })} to it${before ? ` (${number(before.donors)} in ${before.release})` : ''}, of them universities and public bodies: ${number(institutionDonors)}; first seen in ${firstSeen}`,
};

/** `One site links`, `5 sites link`. */
const linksHere = (count: number): string =>
  plural(count, { one: 'one site links', other: `${number(count)} sites link` });

/** How many sites link here, and how many separate voices (independent donors) they are. */
function voices(count: number | null, donors: number): string {
  const links = `${linksHere(donors)} to it`;
  if (count === null) return links;
  if (count === 0)
    return `${links}, but no trust reaches ${donors === 1 ? 'it' : 'them'}, so there is no voice for it`;
  const least = count >= INDEPENDENT_MAX ? 'at least ' : '';
  return `${links}, which makes ${least}${plural(count, { one: 'one separate voice', other: `${number(count)} separate voices` })}${count >= INDEPENDENT_MAX ? ' (more are not counted)' : ''}`;
}

/** Why there are fewer voices than sites. */
function sharing(count: number | null, donors: number): string {
  if (count === null || count === 0 || count >= Math.min(donors, INDEPENDENT_MAX)) return '';
  const owner = isGrouped(count, donors) ? ' That is usual where many have one owner.' : '';
  return ` Sites that trust does not reach, or only by the same ways as others, add no voice.${owner}`;
}

/** Why yellow is not a bad result. */
const greenNeeds = ` Green takes more than ${GREEN_ABOVE_INDEPENDENT} voices, so that it is hard to buy; most good sites have fewer.`;

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
