import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { SecretBox } from '../../src/lib/secret-box.ts';

const secret = 'the server secret, 32 bytes or more';

test('opens what it sealed, any text', async () => {
  const box = await SecretBox.create(secret, 'keys');
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      const sealed = await box.seal(text, 'openai');
      expect(await box.open(sealed, 'openai')).toBe(text);
    }),
  );
});

test('seals the same text to another one each time', async () => {
  const box = await SecretBox.create(secret, 'keys');
  const sealed = await Promise.all(Array.from({ length: 20 }, () => box.seal('sk-1', 'a')));
  expect(new Set(sealed).size).toBe(20);
  expect(sealed.join()).not.toContain('sk-1');
});

test('opens with the previous secret too, seals with the one of now, and seals anew what needs it', async () => {
  const previous = new TextEncoder().encode(secret);
  const before = await SecretBox.create(secret, 'keys');
  const changing = await SecretBox.create(`${secret}, changed`, 'keys', previous);
  const after = await SecretBox.create(`${secret}, changed`, 'keys');
  const old = await before.seal('sk-1', 'openai');
  expect(await changing.open(old, 'openai')).toBe('sk-1');
  expect(await changing.open(old, 'deepseek')).toBeUndefined();
  expect(await after.open(old, 'openai')).toBeUndefined();
  const fresh = await changing.seal('sk-2', 'openai');
  expect(await before.open(fresh, 'openai')).toBeUndefined();
  expect(await after.open(fresh, 'openai')).toBe('sk-2');
  const renewed = (await changing.renewed(old, 'openai')) ?? '';
  expect(await after.open(renewed, 'openai')).toBe('sk-1');
  for (const sealed of [renewed, fresh, 'v1.AAAA', '']) {
    expect(await changing.renewed(sealed, 'openai')).toBeUndefined();
  }
  expect(await after.renewed(old, 'openai')).toBeUndefined();
});

test('opens nothing of another secret, purpose or context, and nothing altered', async () => {
  const box = await SecretBox.create(secret, 'keys');
  const sealed = await box.seal('sk-1', 'openai');
  const others = [
    await SecretBox.create(`${secret}!`, 'keys'),
    await SecretBox.create(secret, 'tokens'),
  ];
  for (const other of others) expect(await other.open(sealed, 'openai')).toBeUndefined();
  expect(await box.open(sealed, 'deepseek')).toBeUndefined();
  for (let index = 0; index < sealed.length; index++) {
    // A and Q differ in the high bits: the low ones of the last letter are padding and mean nothing.
    const altered = sealed.slice(0, index) + (sealed[index] === 'A' ? 'Q' : 'A');
    expect(await box.open(altered + sealed.slice(index + 1), 'openai')).toBeUndefined();
  }
  for (const text of ['', 'v1.', 'v1.AAAA', 'v1.!', 'v2.AAAA']) {
    expect(await box.open(text, 'openai')).toBeUndefined();
  }
});
