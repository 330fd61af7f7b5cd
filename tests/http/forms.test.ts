/** Forms with files: what the reader accepts, and what it refuses early. */
import fc from 'fast-check';
import { describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { FORM_PARTS_MAX, FormFile, parseForm, typedFields } from '../../src/http/body/form.ts';
import { DomainError } from '../../src/lib/errors.ts';
import { fileOf, formOf, postForm } from '../support/forms.ts';
import { openWorld } from '../support/world.ts';

const TYPE = 'multipart/form-data; boundary=x';
const part = (head: string, value = 'v') =>
  `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
const parsed = (text: string, type = TYPE) => parseForm(Buffer.from(text, 'latin1'), type).fields;

/** The form as the runtime writes it, read by the gateway. */
async function readBack(form: FormData) {
  const written = new Response(form);
  const type = written.headers.get('content-type') ?? '';
  return parseForm(await written.bytes(), type);
}

describe('a form', () => {
  test('has the fields and files that were put into it, whatever their bytes', async () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
    const fields = fc.dictionary(name, fc.oneof(text, fc.uint8Array({ maxLength: 300 })));
    await fc.assert(
      fc.asyncProperty(fields, async (given) => {
        const entries = Object.entries(given).map(([key, value]) => [
          key,
          typeof value === 'string' ? value : fileOf(value, 'a "b".bin', 'audio/x-one'),
        ]);
        const form = await readBack(formOf(Object.fromEntries(entries) as Record<string, Blob>));
        const seen = Object.entries(form.fields).map(([key, value]) => [
          key,
          value instanceof FormFile ? new Uint8Array(value.bytes) : value,
        ]);
        // Line ends of texts are written as CR and LF.
        const sent = Object.entries(given).map(([key, value]) => [
          key,
          typeof value === 'string' ? value.replace(/\r\n|\r|\n/g, '\r\n') : new Uint8Array(value),
        ]);
        expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(sent));
      }),
    );
  });

  test('has the same digest with another boundary, and another digest with another byte', async () => {
    const digestOf = async (byte: number) =>
      (await readBack(formOf({ a: 'b', f: fileOf(Buffer.of(byte), 'n', 'audio/wav') }))).digest();
    expect(await digestOf(1)).toBe(await digestOf(1));
    expect(await digestOf(1)).not.toBe(await digestOf(2));
  });

  test.each([
    ['a list', part('name="a[]"') + part('name="a[]"', 'w'), { a: ['v', 'w'] }],
    ['a list of one', part('name="a[]"'), { a: ['v'] }],
    ['a name that comes again', part('name="a"') + part('name="a"', 'w'), { a: ['v', 'w'] }],
    ['an object', part('name="a[b]"') + part('name="a[c]"', 'w'), { a: { b: 'v', c: 'w' } }],
    ['a name without quotes', part('name=a'), { a: 'v' }],
    ['an empty text', part('name="a"', ''), { a: '' }],
    ['a text before the first part', `ignored\r\n${part('name="a"')}`, { a: 'v' }],
    ['a name that objects inherit', part('name="constructor"'), { constructor: 'v' }],
  ])('may have %s', (_name, text, fields) => {
    expect(parsed(`${text}--x--\r\n`)).toEqual(fields);
  });

  test('may name its boundary in quotes', () => {
    const body = '--a b\r\nContent-Disposition: form-data; name="a"\r\n\r\nv\r\n--a b--';
    expect(parsed(body, 'Multipart/Form-Data; charset=utf-8; boundary="a b"')).toEqual({ a: 'v' });
  });

  test.each([
    ['no boundary in its type', part('name="a"'), 'multipart/form-data'],
    ['another boundary', part('name="a"'), 'multipart/form-data; boundary=y'],
    ['no end', part('name="a"'), TYPE],
    ['half of a boundary', `${part('name="a"')}--`, TYPE],
    ['no name', `${part('filename="b"')}--x--`, TYPE],
    ['no head', '--x\r\n\r\nv\r\n--x--', TYPE],
    ['a head without an end', `--x\r\n${'a: b\r\n'.repeat(5_000)}`, TYPE],
    ['a text that is not UTF-8', `${part('name="a"', '\xff')}--x--`, TYPE],
    ['U+0000', `${part('name="a"', '\0')}--x--`, TYPE],
    ['nothing', '', TYPE],
  ])('is refused if it has %s', (_name, text, type) => {
    const error = catchOf(() => parsed(text, type));
    expect(error).toMatchObject({ code: 'invalid_request' });
  });

  test(`is refused with more than ${FORM_PARTS_MAX} parts`, () => {
    const many = part('name="a[]"').repeat(FORM_PARTS_MAX);
    expect(parsed(`${many}--x--`)['a']).toHaveLength(FORM_PARTS_MAX);
    const error = catchOf(() => parsed(`${many}${part('name="a[]"')}--x--`));
    expect(error).toMatchObject({ code: 'payload_too_large' });
  });

  test('is read or refused, whatever its bytes', () => {
    const good = Buffer.from(`${part('name="a"')}${part('name="f"; filename="g"')}--x--`);
    const damage = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 20 });
    fc.assert(
      fc.property(damage, fc.nat(good.length), (changes, length) => {
        const bytes = Buffer.from(good);
        for (const [at, byte] of changes) bytes.fill(byte, at, at + 1);
        const error = catchOf(() => parseForm(bytes.subarray(0, length), TYPE));
        return error === undefined || error instanceof DomainError;
      }),
      { numRuns: 2_000 },
    );
  });

  test('gives numbers, true and lists to fields of those types, and leaves texts unchanged', () => {
    const schema = z.object({
      n: z.int().nullish(),
      word: z.string(),
      on: z.boolean(),
      many: z.array(z.string()).nullish(),
    });
    const fields = { n: '2', word: '2', on: 'true', many: 'one', other: '3' };
    expect(typedFields(schema, fields)).toEqual({
      n: 2,
      word: '2',
      on: true,
      many: ['one'],
      other: '3',
    });
    expect(typedFields(schema, { n: 'two', word: '', on: 'yes' })).toEqual({
      n: 'two',
      word: '',
      on: 'yes',
    });
  });
});

function catchOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('a request with a form', () => {
  test('is refused above 32 MiB, and above the budget of its user', async () => {
    await using world = await openWorld('sqlite', { env: { ZASTAVA_BODY_BUDGET_MIB: '64' } });
    const { token } = await world.user();
    const send = (mib: number) =>
      postForm(
        world.gateway,
        '/v1/audio/transcriptions',
        { file: fileOf(new Uint8Array(mib * 1024 * 1024), 'a.wav', 'audio/wav'), model: 'none' },
        { authorization: `Bearer ${token}` },
      );
    expect((await send(33)).status).toBe(413);
    // Two together are more than a quarter of 64 MiB.
    const answers = await Promise.all([send(9), send(9)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 503]));
    expect((await send(9)).status).toBe(404);
  });

  test('is refused if JSON is required', async () => {
    await using world = await openWorld('sqlite');
    const { token } = await world.user();
    const headers = { authorization: `Bearer ${token}` };
    const answer = await postForm(world.gateway, '/v1/embeddings', { model: 'x' }, headers);
    expect(answer.status).toBe(415);
  });
});
