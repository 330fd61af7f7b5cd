/** What a provider repeats of a request does not get into the log, however it was escaped or cut. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { PIECE_MIN, redact } from '../../src/lib/redact.ts';

const ascii = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Ways in which programs put a text into another one. Each encodes a piece as it does the whole. */
const ways: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in JSON': (text) => JSON.stringify(text).slice(1, -1),
  'in JSON in ASCII': (text) => ascii(text).slice(1, -1),
  'in JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  'in percents': encodeURIComponent,
  'in HTML': (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  'as Python shows bytes': (text) =>
    [...Buffer.from(text)]
      .map((byte) =>
        byte < 32 || byte > 126
          ? `\\x${byte.toString(16).padStart(2, '0')}`
          : byte === 92
            ? '\\\\'
            : String.fromCharCode(byte),
      )
      .join(''),
};

const words = fc.constantFrom(
  'the',
  'secret',
  'Пароль',
  'от',
  'счёта',
  '日本語の文',
  'naïve',
  '😀',
  '"quoted"',
  "it's",
  'line\nline',
  'C:\\new\\table',
  '100%',
  '50%25',
  '<b>&amp;</b>',
  '{"a":[1,2]}',
  '\\u0041',
  'x=y&z',
);
const prompt = fc
  .array(fc.oneof(words, fc.string({ unit: 'grapheme', maxLength: 20 })), {
    minLength: 3,
    maxLength: 30,
  })
  .map((parts) => parts.join(' ').toWellFormed());
const around = fc.constantFrom(
  '',
  'Invalid input: ',
  '400 ',
  ' (see the documentation)',
  '", "',
  '}',
);

/** Pieces that are cut between characters. */
function piecesOf(text: string): string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at++) {
    let piece = '';
    for (let to = at; to < characters.length && piece.length < PIECE_MIN; to++)
      piece += characters[to];
    if (piece.length >= PIECE_MIN) pieces.push(piece);
  }
  return pieces;
}

describe.each(Object.entries(ways))('a request that is repeated %s', (_, encode) => {
  test('leaves no piece of it behind, wherever it was cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        prompt,
        around,
        around,
        fc.nat(400),
        fc.nat(400),
        async (text, before, after, from, cut) => {
          const told = (
            before +
            encode(text.slice(from % text.length).toWellFormed()) +
            after
          ).slice(0, cut);
          const kept = await redact(told, { said: [text], sent: [] });
          for (const piece of piecesOf(text)) {
            expect(kept).not.toContain(piece);
            expect(kept).not.toContain(encode(piece));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

test.each([
  ['in another case', 'INVALID INPUT: TELL NOBODY ABOUT MY DOG'],
  ['with other white space', 'Invalid input: tell  nobody\n\tabout my     dog'],
  ['with other quotation marks', "Invalid input: tell 'nobody' about “my” dog"],
  ['without the marks', 'Invalid input: tell nobody about my dog'],
])('a request that is repeated %s is left out as well', async (_, told) => {
  const said = ['tell "nobody" about `my` dog'];
  expect(await redact(told, { said, sent: [] })).toMatch(/^invalid input: ….?$/i);
});

test('a piece of a text of megabytes is found wherever it stands, and others have their turn meanwhile', async () => {
  const text = Array.from({ length: 100_000 }, (_, at) => `строка ${at * 7919}\n`).join('');
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  for (const at of [0, 32_750, 32_768, 65_530, text.length - 60]) {
    const told = `Invalid input: ${JSON.stringify(text.slice(at, at + 60))}`;
    expect(await redact(told, { said: [text], sent: [] })).toBe('Invalid input: "…"');
  }
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
});

describe('what helps the operator', () => {
  const request = {
    said: ['Describe the weather of tomorrow', 'Hello'],
    sent: ['{"name":"get_weather"}'],
  };

  test('stays, word for word', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 300 }), async (said) => {
        const text = "context_length_exceeded: This model's maximum is 8192 tokens";
        // Nothing of twelve letters is in both.
        fc.pre(!/[a-z]{3}/i.test(said));
        expect(await redact(text, { said: [said], sent: [said] })).toBe(text);
      }),
    );
  });

  test('stays around what was repeated', async () => {
    const told = 'invalid_request_error: "Describe the weather of tomorrow" is too long (32 > 10)';
    expect(await redact(told, request)).toBe('invalid_request_error: "…" is too long (32 > 10)');
  });

  test('is not hidden by short words, which are left out where they are the whole message', async () => {
    const told = 'Unknown function get_weather; the input was: Hello';
    expect(await redact(told, request)).toBe('Unknown function get_weather; the input was: …');
  });
});
