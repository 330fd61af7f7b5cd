import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { SecretBox } from '../../src/lib/secret-box.ts';

const secret = 'the server secret, 32 bytes or more';

test('the box opens any text that it sealed', () => {
  const box = SecretBox.create(secret, 'keys');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = box.seal(text, 'openai');
      expect(box.open(sealed, 'openai')).toBe(text);
    }),
  );
});

test('the box seals the same text differently each time', () => {
  const box = SecretBox.create(secret, 'keys');
  const sealed = Array.from({ length: 20 }, () => box.seal('sk-1', 'a'));
  expect(new Set(sealed).size).toBe(20);
  expect(sealed.join()).not.toContain('sk-1');
});

test('the box opens with the previous secret too, seals with the current one, and seals again what needs it', () => {
  const previous = new TextEncoder().encode(secret);
  const before = SecretBox.create(secret, 'keys');
  const changing = SecretBox.create(`${secret}, changed`, 'keys', previous);
  const after = SecretBox.create(`${secret}, changed`, 'keys');
  const old = before.seal('sk-1', 'openai');
  expect(changing.open(old, 'openai')).toBe('sk-1');
  expect(changing.open(old, 'deepseek')).toBeUndefined();
  expect(after.open(old, 'openai')).toBeUndefined();
  const fresh = changing.seal('sk-2', 'openai');
  expect(before.open(fresh, 'openai')).toBeUndefined();
  expect(after.open(fresh, 'openai')).toBe('sk-2');
  const renewed = changing.renewed(old, 'openai') ?? '';
  expect(after.open(renewed, 'openai')).toBe('sk-1');
  for (const sealed of [renewed, fresh, 'v1.AAAA', '']) {
    expect(changing.renewed(sealed, 'openai')).toBeUndefined();
  }
  expect(after.renewed(old, 'openai')).toBeUndefined();
});

test('the box opens nothing of another secret, purpose or context, and nothing that was altered', () => {
  const box = SecretBox.create(secret, 'keys');
  const sealed = box.seal('sk-1', 'openai');
  const others = [SecretBox.create(`${secret}!`, 'keys'), SecretBox.create(secret, 'tokens')];
  for (const other of others) expect(other.open(sealed, 'openai')).toBeUndefined();
  expect(box.open(sealed, 'deepseek')).toBeUndefined();
  for (let index = 0; index < sealed.length; index++) {
    // A and Q differ in the high bits: the low ones of the last letter are padding and mean nothing.
    const altered = sealed.slice(0, index) + (sealed[index] === 'A' ? 'Q' : 'A');
    expect(box.open(altered + sealed.slice(index + 1), 'openai')).toBeUndefined();
  }
  for (const text of ['', 'v1.', 'v1.AAAA', 'v1.!', 'v2.AAAA']) {
    expect(box.open(text, 'openai')).toBeUndefined();
  }
});
