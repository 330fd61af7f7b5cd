import { expect, test } from 'bun:test';
import { randomHex, randomPassword, sha256Hex, uuidHex } from '../../src/lib/ids.ts';

const many = Array.from({ length: 2000 });

test('ids have the right form and do not repeat', () => {
  const uuids = new Set(many.map(uuidHex));
  expect(uuids.size).toBe(many.length);
  for (const id of uuids) expect(id).toMatch(/^[0-9a-f]{12}4[0-9a-f]{19}$/);
  expect(randomHex(5)).toMatch(/^[0-9a-f]{10}$/);
  expect(new Set(many.map(() => randomHex(16))).size).toBe(many.length);
});

test('passwords have 20 unambiguous characters, each equally likely', () => {
  const seen = new Map<string, number>();
  for (const password of many.map(randomPassword)) {
    expect(password).toMatch(/^[a-km-np-zA-HJ-NP-Z2-9]{20}$/);
    for (const letter of password) seen.set(letter, (seen.get(letter) ?? 0) + 1);
  }
  expect(seen.size).toBe(56);
  // 40,000 letters, 714 of each expected, with a standard deviation of 27: eight deviations never happen.
  for (const count of seen.values()) expect(Math.abs(count - 714)).toBeLessThan(8 * 27);
});

test('sha256Hex gives the published values, of text and of bytes', () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(sha256Hex('abc')).toBe(abc);
  expect(sha256Hex(new TextEncoder().encode('abc'))).toBe(abc);
  expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});
