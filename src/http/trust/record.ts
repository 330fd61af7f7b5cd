import { z } from 'zod';
import { trustRecordJson, type TrustRecord } from '../../trust/index.ts';

const historyPoint = z.object({
  date: z.string().meta({ description: 'YYYY-MM-DD, UTC.' }),
  xt: z.number(),
  spam: z.int(),
  formula: z.string(),
  release: z.string(),
  cause: z.enum(['first', 'release', 'formula', 'page']).meta({
    description: 'What changed the score.',
  }),
});

export const trustRecord = z
  .object({
    domain: z.string(),
    xt: z.number().meta({ description: '0.0 to 10.0, one decimal.' }),
    title: z.string(),
    login: z.string(),
    remaining: z.int().meta({ description: 'Checks left today after this one.' }),
    colour: z.enum(['зел', 'жел', 'ор']),
    workability: z.enum(['да', 'не известно']),
    acceptors: z.int().meta({ description: 'Registrable domains that the site links to.' }),
    donors: z.int().meta({ description: 'Registrable domains that link to the site.' }),
    spam: z.int().meta({ description: 'Percent.' }),
    history: z.array(historyPoint).meta({ description: 'Oldest first.' }),
    confidence: z.enum(['none', 'low', 'medium', 'high']),
    components: z.array(
      z.object({
        name: z.string(),
        unit: z.enum(['points', 'log-odds']),
        value: z.number(),
        weight: z.number(),
        contribution: z
          .number()
          .meta({ description: 'Points add up to xt, log-odds to the log-odds of spam.' }),
      }),
    ),
    reasons: z.array(z.string()),
    top_donors: z.array(z.object({ domain: z.string(), share: z.number() })),
    page: z.object({
      fetched_at: z.string().nullable(),
      status: z.int().nullable(),
      final_url: z.string().nullable(),
      language: z.string().nullable(),
      parked: z.boolean().nullable(),
      external_domains: z.int().nullable(),
    }),
    release: z.string().nullable(),
    formula: z.string(),
  })
  .meta({ id: 'TrustRecord' });

/** The JSON answer of a check. History mode 0 omits the points. */
export function trustRecordView(
  record: TrustRecord,
  { login, remaining, history }: { login: string; remaining: number; history: 0 | 1 | 2 },
): z.input<typeof trustRecord> {
  return {
    ...trustRecordJson(history === 0 ? { ...record, history: [] } : record),
    login,
    remaining,
  };
}
