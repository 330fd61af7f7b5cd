import { z } from 'zod';
import {
  NOTE_CHARACTERS_MAX,
  VOUCHERS_MAX,
  voucherBatchView,
  voucherStates,
  voucherView,
} from '../../codes/index.ts';
import { madeByUser } from '../../ledger/index.ts';
import { fromUnixSeconds } from '../../lib/clock.ts';
import { invalidField } from '../../lib/errors.ts';
import { toRubles } from '../../lib/money.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation } from '../operation.ts';
import { expiryGiven, named, pageLimit, rubles, textOrNull, unixSeconds } from '../schemas.ts';
import { rublesFromZero } from './amount.ts';

/** No voucher has this code. */
const EXAMPLE_CODE = 'R9RA-FXWZ-4FA2-G5P9-RUYS-ZU4D-VGQP-H2FX';

const batchId = z.int().describe('The id of a batch.');

const voucherBatch = named('VoucherBatch', {
  id: z.int(),
  amount: rubles.describe('The amount of each voucher.'),
  note: z.string(),
  made_by: z.string().describe("Who made it: an operator's present login, or `cli`."),
  created_at: unixSeconds,
  expires_at: unixSeconds.nullable().describe('null: never.'),
  count: z.int(),
  redeemed: z.int(),
  revoked: z.int(),
  outstanding: z.int().describe('The number of vouchers that can still be redeemed.'),
  outstanding_amount: rubles.describe('Their sum.'),
});

export const noteGiven = z
  .string()
  .meta({ maxLength: NOTE_CHARACTERS_MAX })
  .nullish()
  .describe('For operators only.');

const batchOperations = ({ voucherBatches }: OperationParts) => [
  operatorOperation({
    path: '/admin/vouchers/',
    unlogged: true,
    summary: 'List the batches of vouchers',
    description: 'The newest first, with what is outstanding.',
    body: z.object({
      limit: pageLimit,
      before: z.int().nullish().describe('Only batches with a smaller id.'),
    }),
    result: z.object({
      batches: z.array(voucherBatch),
      outstanding: z.int().describe('Vouchers of all batches that can still be redeemed.'),
      outstanding_amount: rubles.describe('Their sum.'),
    }),
    handle: async ({ limit, before }) => {
      const batches = await voucherBatches.list(limit, before ?? undefined);
      const { count, amount } = await voucherBatches.outstanding();
      return {
        batches: batches.map(voucherBatchView),
        outstanding: count,
        outstanding_amount: toRubles(amount),
      };
    },
  }),

  operatorOperation({
    path: '/admin/vouchers/create/',
    act: 'vouchers_created',
    summary: 'Make a batch of vouchers',
    description:
      'Their codes are shown in this answer only: if it is lost, revoke the batch and make another.',
    body: z.object({
      count: z.int().min(1).max(VOUCHERS_MAX),
      amount: rublesFromZero.describe('Rubles of each voucher, above 0.'),
      expires_at: expiryGiven,
      note: noteGiven,
    }),
    example: { count: 3, amount: '100', note: 'for the fair' },
    result: z.object({
      batch: voucherBatch,
      vouchers: z
        .array(
          z.object({
            number: z.int().describe('From 1 within the batch.'),
            code: z
              .string()
              .describe('32 letters and digits in groups of four.')
              .meta({ examples: [EXAMPLE_CODE] }),
          }),
        )
        .describe('Only this answer shows the codes.'),
    }),
    handle: async ({ count, amount, expires_at: expiresAt, note }, { caller, act }) => {
      const { batch, vouchers } = await voucherBatches.create({
        count,
        amount,
        note: note ?? undefined,
        expiresAt: fromUnixSeconds(expiresAt ?? undefined),
        madeBy: madeByUser(caller.userId),
        act,
      });
      return { batch: voucherBatchView(batch), vouchers };
    },
  }),
];

const voucherOnes = ({ voucherBatches }: OperationParts) => [
  operatorOperation({
    path: '/admin/vouchers/show/',
    unlogged: true,
    summary: 'Show the vouchers of a batch, or find one by its code',
    description: '`{"id": …}` shows a batch, `{"code": …}` the one voucher with this code.',
    body: z.object({
      id: batchId.nullish(),
      code: z.string().nullish(),
      limit: pageLimit,
      after: z.int().min(0).nullish().describe('Only vouchers with a greater number.'),
    }),
    example: { id: 1 },
    result: z.object({
      batch: voucherBatch,
      vouchers: z.array(
        z.object({
          number: z.int(),
          state: z.enum(voucherStates),
          login: textOrNull.describe('Who redeemed it.'),
          redeemed_at: unixSeconds.nullable(),
        }),
      ),
    }),
    errors: ['not_found'],
    handle: async ({ id, code, limit, after }) => {
      if ((id == null) === (code == null)) throw invalidField('id', 'send either id or code');
      const { batch, vouchers } =
        code == null
          ? await voucherBatches.show(id ?? 0, limit, after ?? 0)
          : await voucherBatches.find(code);
      return { batch: voucherBatchView(batch), vouchers: vouchers.map(voucherView) };
    },
  }),

  operatorOperation({
    path: '/admin/vouchers/revoke/',
    act: 'vouchers_revoked',
    summary: 'Revoke vouchers',
    description:
      'Revokes the vouchers of a batch that are not redeemed, or one of them. This can not be undone.',
    body: z.object({
      id: batchId,
      number: z.int().min(1).nullish().describe('Only this voucher; absent: the whole batch.'),
    }),
    example: { id: 1 },
    result: z.object({
      batch: voucherBatch,
      revoked: z.int().describe('How many were revoked now.'),
    }),
    errors: ['not_found'],
    handle: async ({ id, number }, { act }) => {
      const revoked = await voucherBatches.revoke(id, number ?? undefined, act);
      return { batch: voucherBatchView(await voucherBatches.get(id)), revoked };
    },
  }),
];

export const voucherOperations = (parts: OperationParts) => [
  ...batchOperations(parts),
  ...voucherOnes(parts),
];
