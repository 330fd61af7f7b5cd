import { describe, expect, test } from 'bun:test';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { fileOf, known, modelOf, refusalOf } from './fixtures.ts';

const parse = (text: string) => parseCatalogue(text, known);
const problemOf = (text: string) => refusalOf(() => parse(text)).details[0]?.message;

describe('a hostile file', () => {
  test('is refused when it is nested too deeply', () => {
    expect(problemOf(`models: ${'['.repeat(50_000)}`)).toContain('nested too deeply');
    expect(problemOf('- '.repeat(50_000))).toContain('nested too deeply');
  });

  test('is refused above 4 MiB, and read in linear time below', () => {
    expect(refusalOf(() => parse('x'.repeat(4 * 1024 * 1024 + 1))).message).toContain('4 MiB');
    expect(refusalOf(() => parse('ж'.repeat(2 * 1024 * 1024 + 1))).message).toContain('4 MiB');
    const keys = Array.from({ length: 100_000 }, (_, index) => `k${index}: 1`).join('\n');
    expect(refusalOf(() => parse(keys)).details).toHaveLength(100);
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
