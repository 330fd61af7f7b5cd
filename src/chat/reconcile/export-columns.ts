import { invalidField } from '../../lib/errors.ts';

/**
 * Headers of known exports, simplified. Each field has one or more sets of headers; the first set that the export has
 * completely is used. A set with several headers stands for their sum: some exports split input by how it was cached.
 */
const headers = {
  id: one(
    'generation_id',
    'provider_message_id',
    'completion_id',
    'response_id',
    'message_id',
    'id',
  ),
  date: one(
    'created_at',
    'usage_date_utc',
    'start_time_iso',
    'start_time',
    'timestamp',
    'usage_date',
    'date_utc',
    'datetime',
    'date',
    'day',
  ),
  model: one('model_permaslug', 'model_version', 'model', 'model_name', 'model_id', 'snapshot_id'),
  prompt_tokens: [
    ['native_tokens_prompt'],
    ['tokens_prompt'],
    ['prompt_tokens'],
    ['n_context_tokens_total'],
    [
      'usage_input_tokens_no_cache',
      'usage_input_tokens_cache_write_5m',
      'usage_input_tokens_cache_write_1h',
      'usage_input_tokens_cache_read',
    ],
    ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'],
    ['input_tokens'],
  ],
  completion_tokens: one(
    'native_tokens_completion',
    'tokens_completion',
    'completion_tokens',
    'n_generated_tokens_total',
    'usage_output_tokens',
    'output_tokens',
    'generated_tokens',
  ),
  cached_tokens: one(
    'native_tokens_cached',
    'tokens_cached',
    'cached_tokens',
    'input_cached_tokens',
    'usage_input_tokens_cache_read',
    'cache_read_input_tokens',
  ),
  reasoning_tokens: one(
    'native_tokens_reasoning',
    'tokens_reasoning',
    'reasoning_tokens',
    'output_reasoning_tokens',
  ),
  requests: one('num_model_requests', 'n_requests', 'num_requests', 'request_count', 'requests'),
  cost: one('cost_total', 'total_cost', 'cost_usd', 'cost', 'amount_usd', 'amount', 'spend'),
};

/** The names that an operator gives to columns in `--columns`. */
type Field = keyof typeof headers;

const fields = Object.keys(headers) as Field[];

/**
 * The columns of each field, by index. Several columns of a count are added up; of any other field, the first is read.
 */
export type ExportColumns = Record<Field, readonly number[]>;

/**
 * Finds the columns of an export by its header line.
 * @param wish the operator's choice, e.g. `id=Request,prompt_tokens=In+Cached`; `id=-` ignores a column
 * @throws `invalid_request` for an unknown field or column
 */
export function findColumns(header: readonly string[], wish: string | undefined): ExportColumns {
  const simple = header.map(simplified);
  const wished = new Map(readWish(wish));
  const columnsOf = (field: Field): readonly number[] => {
    const names = wished.get(field);
    if (names) return names.map((name) => columnOf(name, header));
    const set = headers[field].find((known) => known.every((name) => simple.includes(name)));
    return (set ?? []).map((name) => simple.indexOf(name));
  };
  return Object.fromEntries(fields.map((field) => [field, columnsOf(field)])) as ExportColumns;
}

function readWish(wish: string | undefined): [Field, string[]][] {
  if (wish === undefined) return [];
  return wish.split(',').map((pair) => {
    const [, name = '', columns = ''] = /^\s*([a-z_]+)\s*=\s*(.+?)\s*$/.exec(pair) ?? [];
    const field = fields.find((known) => known === name);
    if (!field || columns === '') {
      throw invalidField('columns', `"${pair}": write FIELD=COLUMN, of ${fields.join(', ')}`);
    }
    if (columns === '-') return [field, []];
    const isCount = field.endsWith('_tokens');
    return [field, isCount ? columns.split('+').map((column) => column.trim()) : [columns]];
  });
}

/** By the column's exact name, or else by a name that differs only in case and punctuation. */
function columnOf(name: string, header: readonly string[]): number {
  const exact = header.indexOf(name);
  const index = exact >= 0 ? exact : header.map(simplified).indexOf(simplified(name));
  if (index >= 0) return index;
  throw invalidField('columns', `the file has no column "${name}": it has ${header.join(', ')}`);
}

/** `Input Tokens` and `input-tokens` are `input_tokens`. */
function simplified(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '');
}

function one(...names: readonly string[]): string[][] {
  return names.map((name) => [name]);
}
