import { describe, expect, test } from 'bun:test';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { fileOf, known, modelOf, refusalOf } from './fixtures.ts';

const parse = (text: string) => parseCatalogue(text, known);
const problemOf = (text: string) => refusalOf(() => parse(text)).details[0]?.message;

/** Methods that iterate over a list. */
const searches = ['every', 'filter', 'find', 'findIndex', 'includes', 'indexOf', 'some'] as const;

/** How many list elements all searches may visit during the work. This does not depend on the machine's speed. */
function elementsLookedAt(work: () => void): number {
  let elements = 0;
  const list = Array.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const real = searches.map((name) => [name, list[name]] as const);
  const counting = (search: unknown) =>
    function (this: unknown[], ...args: unknown[]): unknown {
      elements += this.length;
      return Reflect.apply(search as () => unknown, this, args);
    };
  const put = (name: string, value: unknown) =>
    Object.defineProperty(list, name, { value, writable: true, configurable: true });
  for (const [name, search] of real) put(name, counting(search));
  try {
    work();
  } finally {
    for (const [name, search] of real) put(name, search);
  }
  return elements;
}

describe('a hostile file', () => {
  test('is refused when it is nested too deeply', () => {
    expect(problemOf(`models: ${'['.repeat(50_000)}`)).toContain('nested too deeply');
    expect(problemOf('- '.repeat(50_000))).toContain('nested too deeply');
  });

  test('is read in steps that grow with it, not with its square', () => {
    const keys = (count: number) =>
      Array.from({ length: count }, (_, index) => `k${index}: 1`).join('\n');
    const [few, many] = [1_000, 4_000].map((count) =>
      elementsLookedAt(() => expect(refusalOf(() => parse(keys(count))).details.length).toBe(100)),
    );
    expect(many).toBeLessThan(8 * (few ?? 0));
  });

  test('is refused above 4 MiB, and with more than 10,000 models', () => {
    expect(refusalOf(() => parse('x'.repeat(4 * 1024 * 1024 + 1))).message).toContain('4 MiB');
    expect(refusalOf(() => parse('ж'.repeat(2 * 1024 * 1024 + 1))).message).toContain('4 MiB');
    const models = Array.from({ length: 10_001 }, (_, index) => modelOf(100 + index, 'm'));
    expect(problemOf(fileOf(models))).toContain('at most 10000 models');
  });

  test('has no value quoted in an error, since it may be a key', () => {
    const canary = 'sk-canary-0123456789';
    for (const text of [
      `providers: { a: { kind: ${canary} } }`,
      `providers: { a: { kind: openai, base_url: "${canary}" } }`,
      `providers: { a: { kind: openai, api_key: "\${${canary}" } }`,
      `providers:\n  a:\n    api_key: "${canary}" ${canary}`,
      `providers:\n  a:\n    api_key: *${canary}`,
      `providers:\n  a:\n    api_key: !${canary} x`,
      `providers:\n  a:\n    api_key: [${canary}]`,
      `"${canary}`,
      canary,
      `%${canary} x\n---\na: 1`,
    ]) {
      const error = refusalOf(() => parse(text));
      expect(JSON.stringify([error.message, error.details])).not.toContain('canary');
    }
  });
});
