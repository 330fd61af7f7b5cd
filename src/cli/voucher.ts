import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  voucherBatchView,
  voucherView,
  type PrintedVoucher,
  type Voucher,
  type VoucherBatch,
} from '../codes/index.ts';
import type { Core } from '../core.ts';
import { DomainError, messageOf } from '../lib/errors.ts';
import { toRubles, type Micro } from '../lib/money.ts';
import { expiryArgument, rublesFrom, wholeNumberFrom } from './arguments.ts';
import { commandAct, define, defineGroup, onCore, type CliContext } from './context.ts';
import { counted, rubles, time } from './format.ts';
import { pairs, table, type Column } from './table.ts';
import { MADE_BY } from './user-money.ts';

const ROWS_DEFAULT = 100;
const MICRO_MIN: Micro = 1;
/** Codes are money: only the owner may read a file of them. */
const FILE_MODE = 0o600;

interface CreateOptions {
  count: number;
  rub: Micro;
  expires?: number;
  note?: string;
  csv?: string;
}

export function voucherCommands(program: Command, context: CliContext): void {
  const group = defineGroup(program, 'voucher', 'vouchers: codes that credit whoever redeems them');
  define(group, 'create', 'make a batch of vouchers; their codes are printed only once, as CSV', [
    'zastava voucher create --count 500 --rub 100 --csv vouchers.csv',
    `zastava voucher create --count 20 --rub 250 --expires 2030-12-31 --note 'fair' > fair.csv`,
  ])
    .requiredOption('--count <n>', 'how many', wholeNumberFrom(1))
    .requiredOption('--rub <rub>', 'rubles of each', rublesFrom(MICRO_MIN))
    .option('--expires <date>', 'its last day (UTC), or a moment; absent: never', expiryArgument)
    .option('--note <text>', 'for operators only')
    .option('--csv <file>', 'write the codes to this new file instead')
    .action(onCore(context, create));
  define(group, 'list', 'list the batches of vouchers, newest first, and what is outstanding', [
    'zastava voucher list',
  ])
    .option('--limit <n>', `at most so many; absent: ${ROWS_DEFAULT}`, wholeNumberFrom(1))
    .option('--before <id>', 'only batches with a smaller id', wholeNumberFrom(1))
    .action(onCore(context, list));
  define(group, 'show', 'show the vouchers of a batch, or the one with a code', [
    'zastava voucher show 3',
    'zastava voucher show R9RA-FXWZ-4FA2-G5P9-RUYS-ZU4D-VGQP-H2FX',
  ])
    .argument('<batch|code>', 'the id of a batch, or a code as it is printed')
    .action(
      onCore(context, async ({ voucherBatches }, wanted: string) => {
        const { batch, vouchers } = /^\d{1,9}$/.test(wanted)
          ? await voucherBatches.show(Number(wanted), Number.MAX_SAFE_INTEGER)
          : await voucherBatches.find(wanted);
        return [
          { batch: voucherBatchView(batch), vouchers: vouchers.map(voucherView) },
          `${pairs(batchFields(batch))}\n\n${table(voucherColumns, vouchers)}`,
        ];
      }),
    );
  define(group, 'revoke', 'revoke for good what of a batch is not redeemed', [
    'zastava voucher revoke 3',
    'zastava voucher revoke 3 --number 17',
  ])
    .argument('<batch>', 'the id of a batch', wholeNumberFrom(1))
    .option('--number <n>', 'only this voucher of it', wholeNumberFrom(1))
    .action(
      onCore(context, async (core, id: number, { number }: { number?: number }) => {
        const act = commandAct(core, 'vouchers_revoked');
        const revoked = await core.voucherBatches.revoke(id, number, act);
        const batch = voucherBatchView(await core.voucherBatches.get(id));
        return [{ batch, revoked }, `${counted(revoked, 'voucher')} of batch ${id} revoked`];
      }),
    );
}

/** The file is created first: if that fails, no vouchers are made. */
async function create(core: Core, { csv, ...options }: CreateOptions) {
  const file = csv === undefined ? undefined : await newFile(csv);
  try {
    const { batch, vouchers } = await core.voucherBatches.create({
      count: options.count,
      amount: options.rub,
      note: options.note,
      expiresAt: options.expires,
      madeBy: MADE_BY,
      act: commandAct(core, 'vouchers_created'),
    });
    const made = `batch ${batch.id} of ${counted(batch.count, 'voucher')} is made`;
    const lost = `its codes are lost: zastava voucher revoke ${batch.id}, and make another`;
    const text = csvOf(batch, vouchers);
    const view = voucherBatchView(batch);
    if (!file) return [{ batch: view, vouchers }, text, { made, lost }] as const;
    await file.writeFile(`${text}\r\n`).catch((error: unknown) => {
      throw new Error(`${made}, and ${lost} (${csv}: ${messageOf(error)})`, { cause: error });
    });
    return [{ batch: view, file: csv }, pairs({ ...batchFields(batch), file: csv ?? '' })] as const;
  } finally {
    await file?.close();
  }
}

async function newFile(path: string) {
  try {
    return await open(path, 'wx', FILE_MODE);
  } catch (error) {
    const message = `--csv: ${path} can't be made as a new file: ${messageOf(error)}`;
    throw new DomainError('invalid_request', message, { cause: error });
  }
}

/** RFC 4180; no field needs quotes. */
function csvOf(
  { id, amount, expiresAt }: VoucherBatch,
  vouchers: readonly PrintedVoucher[],
): string {
  const expires = expiresAt === null ? '' : time(expiresAt);
  const lines = vouchers.map(({ number, code }) =>
    [id, number, code, toRubles(amount), expires].join(','),
  );
  return ['batch,number,code,rubles,expires', ...lines].join('\r\n');
}

async function list(
  { voucherBatches }: Core,
  { limit = ROWS_DEFAULT, before }: { limit?: number; before?: number },
) {
  const batches = await voucherBatches.list(limit, before);
  const { count, amount } = await voucherBatches.outstanding();
  return [
    {
      batches: batches.map(voucherBatchView),
      outstanding: count,
      outstanding_amount: toRubles(amount),
    },
    `${table(batchColumns, batches)}\n\noutstanding: ${counted(count, 'voucher')}, ${rubles(amount)}`,
  ] as const;
}

const batchColumns: readonly Column<VoucherBatch>[] = [
  ['BATCH', ({ id }) => String(id), 'right'],
  ['EACH', ({ amount }) => rubles(amount), 'right'],
  ['COUNT', ({ count }) => String(count), 'right'],
  ['REDEEMED', ({ redeemed }) => String(redeemed), 'right'],
  ['REVOKED', ({ revoked }) => String(revoked), 'right'],
  ['OUTSTANDING', ({ outstanding, amount }) => rubles(outstanding * amount), 'right'],
  ['CREATED', ({ createdAt }) => time(createdAt)],
  ['EXPIRES', ({ expiresAt }) => time(expiresAt)],
  ['BY', ({ madeBy }) => madeBy],
  ['NOTE', ({ note }) => note],
];

const voucherColumns: readonly Column<Voucher>[] = [
  ['NUMBER', ({ number }) => String(number), 'right'],
  ['STATE', ({ state }) => state],
  ['BY', ({ login }) => login ?? '-'],
  ['REDEEMED', ({ redeemedAt }) => time(redeemedAt)],
];

function batchFields(batch: VoucherBatch): Record<string, string> {
  return {
    batch: String(batch.id),
    each: rubles(batch.amount),
    count: String(batch.count),
    redeemed: String(batch.redeemed),
    revoked: String(batch.revoked),
    outstanding: rubles(batch.outstanding * batch.amount),
    created: time(batch.createdAt),
    expires: time(batch.expiresAt),
    'made by': batch.madeBy,
    note: batch.note || '-',
  };
}
