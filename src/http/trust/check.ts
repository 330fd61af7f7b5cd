import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import {
  type Language,
  reasonCodes,
  type TrustCheck,
  type TrustRecord,
  trustRecordJson,
} from '../../trust/index.ts';
import { languageOf } from '../languages.ts';
import type { OperationParts } from '../operation-parts.ts';
import { userOperation } from '../operation.ts';
import { LAST_CHECKS_PER_MINUTE } from '../read-limits.ts';
import { checkOnce } from './check-once.ts';
import { intOrNull, named, textOrNull } from '../schemas.ts';

const historyPoint = named('TrustPoint', {
  date: z.string().describe('YYYY-MM-DD, UTC.'),
  xt: z.number(),
  spam: z.int(),
  formula: z.string(),
  release: z.string().describe('`NAME`, or `NAME + BASE` where a base took part.'),
  cause: z.enum(['first', 'release', 'formula', 'page']).describe('What changed the score.'),
});

export const trustRecord = named('TrustRecord', {
  domain: z
    .string()
    .describe(
      'The domain that the record describes: the site, or the platform that hosts it, such as `github.io`, if the release has only the platform.',
    ),
  xt: z.number().describe('0.0 to 10.0, one decimal.'),
  title: z.string(),
  login: z.string(),
  remaining: z.int().describe('Checks left today after this one.'),
  colour: z.enum(['зел', 'жел', 'ор']),
  workability: z.enum(['да', 'не известно']),
  acceptors: z.int().describe('Registrable domains that the site links to.'),
  donors: z.int().describe('Registrable domains that link to the site.'),
  spam: z.int().describe('Percent.'),
  history: z.array(historyPoint).describe('Oldest first.'),
  confidence: z.enum(['none', 'low', 'medium', 'high']),
  components: z.array(
    z.object({
      name: z.string(),
      unit: z.enum(['points', 'log-odds']),
      value: z.number(),
      weight: z.number(),
      contribution: z.number().describe('Points add up to xt, log-odds to the log-odds of spam.'),
    }),
  ),
  made_of: z
    .array(
      z.object({
        points: z.number().describe('One decimal; the points of all parts add up to xt.'),
        why: z.string(),
      }),
    )
    .describe('The parts of the score, for people: at most five, one sentence each.'),
  spam_reasons: z
    .array(z.string())
    .describe('What raised or lowered the risk of spam: sentences for people.'),
  summary: z
    .array(z.string())
    .describe(
      'What limits the score, why the colour is what it is, how certain, the home page, and the rule of colours: sentences for people.',
    ),
  about: textOrNull.describe(
    'What the score says, and what it does not say; null without a release.',
  ),
  advice: textOrNull.describe('What to do before you trust the site; null without a release.'),
  reasons: z.array(z.string()).describe('Sentences for people, the weightiest first.'),
  reason_codes: z
    .array(
      z.object({
        code: z.enum(reasonCodes),
        value: z
          .number()
          .nullable()
          .describe('A number of domains, or a share from 0 to 1; null: the code needs no value.'),
      }),
    )
    .describe('The same reasons for programs.'),
  top_donors: z.array(
    z.object({
      domain: z.string(),
      share: z.number(),
      listed_as_spam: z.boolean().describe('Whether the operator lists it as spam.'),
    }),
  ),
  page: z.object({
    site: z.string().describe('The site whose home page was read.'),
    fetched_at: textOrNull,
    status: intOrNull,
    final_url: textOrNull,
    language: textOrNull.describe('A tag such as `ru` or `en-gb`.'),
    language_source: z
      .enum(['declared', 'detected'])
      .nullable()
      .describe('Whether the page says its language, or it was detected in the text.'),
    contact: textOrNull.describe('Where the home page says how to reach the site.'),
    privacy: textOrNull.describe('The page on personal data that the home page links to.'),
    imprint: textOrNull.describe('The page on who is responsible that the home page links to.'),
    parked: z.boolean().nullable(),
    external_domains: intOrNull,
  }),
  release: textOrNull.describe('The release that the score is from.'),
  base: z
    .object({
      release: z.string(),
      donors: z.int(),
      acceptors: z.int(),
      institution_donors: z.int().describe('Distinct institutions that link to the site.'),
      first_seen: textOrNull.describe('The first of the compared releases that contains it.'),
      before: z
        .object({ release: z.string(), donors: z.int() })
        .nullable()
        .describe('Donors in the earlier release; null: not compared.'),
    })
    .nullable()
    .describe('The facts in the release of the whole web; null: no such release is in use.'),
  formula: z.string(),
});

export const historyMode = z
  .union([z.literal(0), z.literal(1), z.literal(2)], { error: 'must be 0, 1 or 2' })
  .nullish()
  .meta({ description: '0: no history; 1 or 2: its points.', default: 0 });

const ADDRESSES_MAX = 100;

const refused = z.object({ url: z.string(), error: z.string(), message: z.string() });

type Entry = { url: string; site: ReturnType<TrustCheck['siteOf']> } | z.input<typeof refused>;

export const trustOperations = ({ trust, allowance }: OperationParts) => [
  userOperation({
    path: '/trust/check/',
    right: 'trust',
    summary: 'Check a web address',
    description:
      'The record of the legacy interface, with the reasons for its values. Uses one check of your allowance.',
    body: z.object({ url: z.string(), history: historyMode }),
    example: { url: 'https://example.com/' },
    result: trustRecord,
    errors: ['allowance_used_up'],
    slow: true,
    translated: true,
    handle: async ({ url, history }, call) => {
      const { login } = call.caller;
      const { record, remaining } = await checkOnce({ trust, allowance }, call.caller, url);
      const language = languageOf(call);
      return trustRecordView(record, { login, remaining, language, history: history ?? 0 });
    },
  }),

  userOperation({
    path: '/trust/bulk/',
    right: 'trust',
    summary: 'Check up to 100 web addresses',
    description:
      'Answers in the order of the addresses. An invalid address gets an error in its place and uses no allowance. Each other address uses one check of your allowance; if the allowance does not cover all, nothing is checked.',
    body: z.object({
      urls: z.array(z.string()).min(1).max(ADDRESSES_MAX),
      history: historyMode,
    }),
    example: { urls: ['https://example.com/'] },
    result: z.object({ records: z.array(z.union([trustRecord, refused])) }),
    errors: ['allowance_used_up'],
    slow: true,
    translated: true,
    handle: async (body, call) => {
      const { userId, login } = call.caller;
      const language = languageOf(call);
      const sites = body.urls.map((url) => siteOrRefusal(trust, url));
      const good = sites.filter((site) => 'site' in site).length;
      const taken = good === 0 ? undefined : await allowance.take(userId, good);
      const remaining = taken?.remaining ?? 0;
      const history = body.history ?? 0;
      const ended = await Promise.allSettled(
        sites.map(async (entry) => {
          if (!('site' in entry)) return entry;
          const record = await trust.check(entry.site, { by: userId });
          return trustRecordView(record, { login, remaining, language, history });
        }),
      );
      const failures = ended.filter((one) => one.status === 'rejected');
      // An internal failure fails the whole call, which then uses no allowance.
      const internal = failures.find(({ reason }) => !(reason instanceof DomainError));
      const unused = internal ? good : failures.length;
      if (unused > 0) await taken?.giveBack(unused);
      if (internal) throw internal.reason;
      const records = ended.map((one, index) =>
        one.status === 'fulfilled' ? one.value : refusalOf(body.urls[index] ?? '', one.reason),
      );
      return { records };
    },
  }),

  userOperation({
    path: '/trust/history/',
    right: 'trust',
    summary: "Show how a site's score changed",
    description: 'The recorded points. Checks nothing, and uses nothing of your allowance.',
    body: z.object({ url: z.string() }),
    example: { url: 'https://example.com/' },
    result: z.object({ domain: z.string(), history: trustRecord.shape.history }),
    handle: async (body) => {
      const site = trust.siteOf(body.url);
      return { domain: trust.domainOf(site), history: await trust.history(site) };
    },
  }),
];

export const lastCheckOperation = ({ trust, allowance }: OperationParts) =>
  userOperation({
    path: '/trust/last/',
    right: 'trust',
    summary: 'Show the last check of a site',
    description:
      'The record of the last check by any user, with its history. Checks nothing, and uses nothing of your allowance.',
    body: z.object({ url: z.string() }),
    example: { url: 'https://example.com/' },
    result: z.object({
      domain: z.string(),
      history: trustRecord.shape.history,
      record: trustRecord
        .nullable()
        .describe(
          'null: the site was never checked, or the score has changed since: make a check.',
        ),
    }),
    callsPerMinute: LAST_CHECKS_PER_MINUTE,
    translated: true,
    handle: async ({ url }, call) => {
      const { userId, login } = call.caller;
      const language = languageOf(call);
      const site = trust.siteOf(url);
      const record = await trust.last(site);
      const { remaining } = await allowance.today(userId);
      return {
        domain: trust.domainOf(site),
        history: record?.history ?? (await trust.history(site)),
        record: record ? trustRecordView(record, { login, remaining, language, history: 1 }) : null,
      };
    },
  });

interface ViewOptions {
  login: string;
  remaining: number;
  language: Language;
  history: 0 | 1 | 2;
}

/** The JSON answer of a check. History mode 0 omits the points. */
export function trustRecordView(
  record: TrustRecord,
  { login, remaining, language, history }: ViewOptions,
): z.input<typeof trustRecord> {
  return {
    ...trustRecordJson(history === 0 ? { ...record, history: [] } : record, language),
    login,
    remaining,
  };
}

function siteOrRefusal(trust: TrustCheck, url: string): Entry {
  try {
    return { url, site: trust.siteOf(url) };
  } catch (error) {
    return refusalOf(url, error);
  }
}

function refusalOf(url: string, error: unknown): z.input<typeof refused> {
  if (!(error instanceof DomainError)) throw error;
  return { url, error: error.code, message: error.message };
}
