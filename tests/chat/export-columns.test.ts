/** How usage exports are read: headers, columns and values. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { findColumns } from '../../src/chat/reconcile/export-columns.ts';
import { readRow } from '../../src/chat/reconcile/export-reader.ts';
import { refusalOf } from '../catalogue/fixtures.ts';

const split = (header: string) => header.split(',');

describe('the columns of an export', () => {
  test.each([
    [
      'OpenRouter',
      'generation_id,created_at,cost_total,cost_web_search,tokens_prompt,tokens_completion,tokens_reasoning,tokens_cached,model_permaslug,provider_name,user',
      {
        id: [0],
        date: [1],
        model: [8],
        prompt_tokens: [4],
        completion_tokens: [5],
        cost: [2],
        cached_tokens: [7],
        reasoning_tokens: [6],
      },
    ],
    [
      'OpenAI',
      'start_time,end_time,start_time_iso,end_time_iso,project_id,num_model_requests,api_key_id,model,batch,input_tokens,output_tokens,input_cached_tokens',
      {
        date: [2],
        model: [7],
        prompt_tokens: [9],
        completion_tokens: [10],
        requests: [5],
        cached_tokens: [11],
      },
    ],
    [
      'OpenAI, as it once was',
      'timestamp,operation,snapshot_id,n_requests,n_context_tokens_total,n_generated_tokens_total',
      { date: [0], model: [2], prompt_tokens: [4], completion_tokens: [5], requests: [3] },
    ],
    [
      'Anthropic',
      'usage_date_utc,model_version,api_key,workspace,usage_type,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read,usage_output_tokens,web_search_count',
      {
        date: [0],
        model: [1],
        prompt_tokens: [5, 6, 7, 8],
        completion_tokens: [9],
        cached_tokens: [8],
      },
    ],
    [
      'one that tells cached input apart',
      'Date,Model,Input Tokens,Cache Creation Input Tokens,Cache Read Input Tokens,Output Tokens,Cost',
      {
        date: [0],
        model: [1],
        prompt_tokens: [2, 3, 4],
        completion_tokens: [5],
        cost: [6],
        cached_tokens: [4],
      },
    ],
    ['one of a gateway', 'ID; no', {}],
  ])('of %s', (_, header, expected) => {
    const nothing = findColumns([], undefined);
    expect(findColumns(split(header), undefined)).toEqual({ ...nothing, ...expected });
  });

  test('may be named, summed and left out', () => {
    const header = split('id,Anfrage,Ein,Ein Cache,Aus,Tag');
    const wish = 'id=anfrage, prompt_tokens=Ein + ein cache,completion_tokens=Aus,date=Tag';
    expect(findColumns(header, wish)).toMatchObject({
      id: [1],
      prompt_tokens: [2, 3],
      completion_tokens: [4],
      date: [5],
    });
    expect(findColumns(header, 'id=-').id).toEqual([]);
  });

  test.each([
    ['id=Nirgends', 'the file has no column "Nirgends": it has a, b'],
    ['ids=a', 'write FIELD=COLUMN, of id, date, model'],
    ['id', 'write FIELD=COLUMN'],
    ['id=', 'write FIELD=COLUMN'],
    ['', 'write FIELD=COLUMN'],
  ])('%j is refused', (wish, message) => {
    const error = refusalOf(() => findColumns(['a', 'b'], wish));
    expect(error).toMatchObject({ code: 'invalid_request' });
    expect(error.message).toContain(message);
  });
});

describe('a line of an export', () => {
  const columns = findColumns(
    split('id,date,model,prompt_tokens,completion_tokens,cost'),
    undefined,
  );
  const read = (...fields: string[]) => readRow(fields, 7, columns);

  test.each([
    ['2026-11-01', '2026-11-01'],
    ['2026-11-01 23:59:59.713', '2026-11-01'],
    ['2026-11-01T23:59:59Z', '2026-11-01'],
    ['2026-11-01T23:30:00-03:00', '2026-11-02'],
    ['2026-11-01T23:30:00+0300', '2026-11-01'],
    ['2026-11-01T00:00:00.123456789+00:00', '2026-11-01'],
    ['2026-11-01 12:00 UTC', '2026-11-01'],
    ['1793491200', '2026-11-01'],
    ['1793491200.5', '2026-11-01'],
    ['1793491200000', '2026-11-01'],
  ])('on %p is of %p', (date, day) => {
    expect(read('x', date, 'm', '1', '2', '')).toMatchObject({ day });
  });

  test.each(['2026-02-30', '2026-13-01', '01.11.2026', 'yesterday', '26-11-01', '0', '1999-01-01'])(
    'on %p is not read',
    (date) => {
      expect(read('x', date, 'm', '1', '2', '')).toEqual({ problem: `"${date}" is not a date` });
    },
  );

  test.each([
    ['10', 10],
    ['3.0', 3],
    ['1,234,567', 1_234_567],
    ['0', 0],
    ['', undefined],
    [' 5 ', 5],
  ])('a count %p is %p', (text, count) => {
    expect(read('x', '', 'm', text, '2', '')).toMatchObject({ promptTokens: count });
  });

  test.each(['-1', '1.5', 'ten', '1e3', '1,23', '9'.repeat(20)])(
    'a count %p is invalid',
    (text) => {
      expect(read('x', '', 'm', text, '2', '')).toHaveProperty('problem');
    },
  );

  test('that is short has the fields that it has, and no others', () => {
    expect(read('x')).toEqual({
      line: 7,
      id: 'x',
      day: undefined,
      model: undefined,
      cost: undefined,
      promptTokens: undefined,
      completionTokens: undefined,
      requests: undefined,
      cachedTokens: undefined,
      reasoningTokens: undefined,
    });
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 8 }), (fields) => {
        const row = read(...fields);
        if ('problem' in row) return;
        for (const count of [row.promptTokens, row.completionTokens]) {
          expect(count === undefined || (Number.isSafeInteger(count) && count >= 0)).toBe(true);
        }
      }),
    );
  });
});
