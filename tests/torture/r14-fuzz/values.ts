/** Values that break programs that do not expect them. */
import { between, pick } from '../support/random.ts';

type Random = () => number;

const numbers = [
  0,
  -0,
  -1,
  1,
  1.5,
  255,
  256,
  65_536,
  2 ** 31,
  -(2 ** 31),
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  1e15,
  1e18,
  1e19,
  1e100,
  1e308,
  -1e308,
  5e-324,
  0.1 + 0.2,
  99_999_999_999,
];
const strings = [
  '',
  ' ',
  '\t\n',
  '0',
  '-1',
  'null',
  'true',
  'NaN',
  'undefined',
  '[object Object]',
  '{}',
  '[]',
  "'",
  '"',
  "' OR 1=1 --",
  "'; DROP TABLE users; --",
  '%',
  '%%%%',
  '_',
  '\\',
  '$1',
  '$2::text',
  '?1',
  '../../etc/passwd',
  '/dev/null',
  'C:\\x',
  'file:///etc/passwd',
  '|ls',
  '`id`',
  '$(id)',
  '${PATH}',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '%00',
  '%ff',
  '%',
  '\u0000',
  '\u0001\u001f',
  '\u007f\u0085',
  '\ud800',
  'x\udfff',
  '\ufeff',
  '\ufffe',
  '\u202e\u2066',
  'e\u0301'.repeat(30),
  '👩‍👩‍👧‍👦',
  '\u{10ffff}',
  'İıſß',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  'then',
  '2026-13-45',
  '9999999999999',
  '2026-01-01T00:00:00Z',
  '-0001-01-01',
  '1e309',
  '0x10',
  '１２３',
  'http://127.0.0.1/',
  'http://[::1]/',
  'http://a@b/',
  '//x',
  'xn--',
  'xn--a',
  '.',
  '..',
  'a..b',
  'ру.рф',
  'data:x',
  'data:image/png;base64,',
  'data:image/png;base64,AAAA',
  'data:,%',
  'zk_',
  'Bearer',
  'root',
  'ＲＯＯＴ',
];

export function hostileValue(random: Random, depth = 0): unknown {
  const die = random();
  if (die < 0.3) return pick(strings, random);
  if (die < 0.5) return pick(numbers, random);
  if (die < 0.6) return pick([null, true, false], random);
  if (die < 0.65)
    return pick(['a', '\u0301', 'ы', '👍', '\\'], random).repeat(between(1, 5_000, random));
  if (die < 0.7) return nested(between(2, 200, random), random);
  if (depth > 2) return [];
  const size = between(0, 6, random);
  if (die < 0.85) return Array.from({ length: size }, () => hostileValue(random, depth + 1));
  const keys = Array.from({ length: size }, () => pick(strings, random));
  return Object.fromEntries(keys.map((key) => [key, hostileValue(random, depth + 1)]));
}

export function hostileText(random: Random): string {
  return random() < 0.8
    ? pick(strings, random)
    : pick(['a', '%', '/', '.', 'ы', '\u0301'], random).repeat(between(1, 3_000, random));
}

function nested(depth: number, random: Random): unknown {
  let value: unknown = 1;
  const isList = random() < 0.5;
  for (let level = 0; level < depth; level++) value = isList ? [value] : { a: value };
  return value;
}

/** The same value with something in it that does not belong there. */
export function mutated(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.15) return hostileValue(random);
  if (Array.isArray(value)) {
    if (value.length === 0) return [hostileValue(random)];
    const at = between(0, value.length, random);
    return value.map((member: unknown, index) => (index === at ? mutated(member, random) : member));
  }
  const entries = Object.entries(value);
  const die = random();
  if (entries.length === 0 || die < 0.1)
    return { ...value, [hostileText(random)]: hostileValue(random) };
  const at = between(0, entries.length, random);
  if (die < 0.2) return Object.fromEntries(entries.filter((_, index) => index !== at));
  return Object.fromEntries(
    entries.map(([key, member], index) => [key, index === at ? mutated(member, random) : member]),
  );
}

/** Bytes that once were a valid file. */
export function damaged(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const die = random();
  if (die < 0.3) return copy.subarray(0, between(0, copy.length + 1, random));
  if (die < 0.4) return Buffer.concat([copy, copy]);
  if (die < 0.5) return Buffer.concat([Buffer.from('\ufeff'), copy]);
  for (let times = between(1, 8, random); times > 0 && copy.length > 0; times--) {
    copy[between(0, copy.length, random)] = between(0, 256, random);
  }
  return copy;
}
