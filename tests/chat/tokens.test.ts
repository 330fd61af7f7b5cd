/** Estimates of tokens: how exact they are, and that counting a long text delays nobody. */
import { describe, expect, test } from 'bun:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokens } from '../../src/chat/context/tokens.ts';
import { randomFrom } from '../torture/support/random.ts';

const sentence = 'The gate was shut at dusk, and who came late paid double. ';

describe('an estimate of tokens', () => {
  test("is the tokenizer's count, except where the text was split", async () => {
    expect(await estimateTokens([''])).toBe(0);
    expect(await estimateTokens(['Hello <|endoftext|>'])).toBeGreaterThan(3);
    expect(await estimateTokens([sentence])).toBe(countTokens(sentence));
    const long = sentence.repeat(300);
    const exact = countTokens(long);
    expect(Math.abs((await estimateTokens([long])) - exact) / exact).toBeLessThan(0.02);
  });

  test('of megabytes of text is extrapolated from a part, and is still close', async () => {
    const long = sentence.repeat(60_000);
    const expected = countTokens(sentence.repeat(100)) * 600;
    expect(Math.abs((await estimateTokens([long])) - expected) / expected).toBeLessThan(0.02);
    const bytes = '\u{1f600}'.repeat(1_500_000);
    expect(await estimateTokens([bytes])).toBeLessThanOrEqual(Buffer.byteLength(bytes));
  });

  test('stops at the limit that the caller needs', async () => {
    const tokens = await estimateTokens([sentence.repeat(1_000)], 1, 100);
    expect(tokens).toBeGreaterThan(100);
    expect(tokens).toBeLessThan(1_000);
  });

  test('yields to other work', async () => {
    const letters = Array.from({ length: 300_000 }, (_, at) =>
      String.fromCharCode(0x4e00 + ((at * 7919) % 20_000)),
    );
    let turns = 0;
    let counting = true;
    const turn = (): void => {
      if (!counting) return;
      turns++;
      setImmediate(turn);
    };
    setImmediate(turn);
    await estimateTokens([letters.join('')]);
    counting = false;
    expect(turns).toBeGreaterThan(3);
  });

  test("of one user keeps another user's waiting for one count at most", async () => {
    // Random, since the tokenizer remembers words.
    const random = randomFrom(7);
    const letter = () => String.fromCharCode(0x4e00 + Math.floor(random() * 20_000));
    const ended: string[] = [];
    const count = async (userId: number, length: number) => {
      const text = Array.from({ length }, letter).join('');
      await estimateTokens([text], userId);
      ended.push(`user ${userId}`);
    };
    // The other user's count is done in a single turn: how much is counted in a turn depends on the machine.
    await Promise.all([...Array.from({ length: 6 }, () => count(1, 10_000)), count(2, 1_000)]);
    expect(ended.indexOf('user 2')).toBeLessThanOrEqual(1);
    expect(ended).toHaveLength(7);
  });
});
