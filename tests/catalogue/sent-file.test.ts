/** A catalogue over HTTP is read on a thread, for a limited time. */
import { describe, expect, test } from 'bun:test';
import { readOnThread } from '../../src/catalogue/file-thread.ts';
import { SENT_MARKS_MAX, SENT_OPENERS_MAX } from '../../src/catalogue/limits.ts';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { fileOf, known, modelOf, refusalOf, rejectionOf } from './fixtures.ts';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import type { KnownToFiles } from '../../src/catalogue/file-reading.ts';

/** On a busy machine this may take long. */
const PATIENCE_MS = 600_000;
/** The largest file that may be sent, which takes the parser a second. */
const slow = Array.from({ length: SENT_MARKS_MAX / 2 }, (_, at) => `a${at}:\n`).join('');

describe('a catalogue that takes long to read', () => {
  test('does not delay other work', async () => {
    let isRead = false;
    const reading = readOnThread(slow, known, PATIENCE_MS).finally(() => (isRead = true));
    const refused = rejectionOf(reading);
    // If it were read on this thread, it would be finished by the second turn.
    for (let turn = 0; turn < 3; turn++) await new Promise((resume) => setImmediate(resume));
    expect(isRead).toBe(false);
    expect(String(await refused)).toContain('unknown field');
  });

  test('is refused after the time for reading, and the next one is read', async () => {
    const late = await rejectionOf(readOnThread(slow, known, 20));
    expect(String(late)).toContain('took more than 0.02 s');
    const text = fileOf([modelOf(101, 'a')]);
    expect(await readOnThread(text, known, PATIENCE_MS)).toEqual(parseCatalogue(text, known));
  });

  test('is refused unread if it has too many YAML punctuation marks, which the command line does not count', async () => {
    const tags = '! '.repeat(SENT_OPENERS_MAX + 1);
    for (const text of [tags, `${slow}a: 1\n`]) {
      const refusal = { code: 'payload_too_large', message: expect.stringContaining('more than') };
      expect(await rejectionOf(readOnThread(text, known))).toMatchObject(refusal);
    }
    expect(String(refusalOf(() => parseCatalogue(tags, known)))).toContain('not valid YAML');
  });

  test('is refused at once if others wait', async () => {
    const all = Array.from({ length: 6 }, () => rejectionOf(readOnThread('models: [', known)));
    const codes = (await Promise.all(all)).map((error) => (error as { code: string }).code);
    expect(codes.toSorted()).toEqual([...Array<string>(5).fill('invalid_request'), 'overloaded']);
  });

  test('is refused above 2,000 models, which the command line takes', async () => {
    const models = Array.from({ length: 2001 }, (_, index) => modelOf(100 + index, 'm'));
    const text = fileOf(models).replace('${UP_KEY}', 'k');
    const bound = new Map<string, string[]>();
    const read = (one: string, facts: KnownToFiles) => readOnThread(one, facts, PATIENCE_MS);
    expect(String(await rejectionOf(read(text, { ...known, bound })))).toContain(
      'at most 2000 models',
    );
    expect((await read(text, known)).models).toHaveLength(2001);
    const less = fileOf(models.slice(1)).replace('${UP_KEY}', 'k');
    expect((await read(less, { ...known, bound })).models).toHaveLength(2000);
  });

  test('has the same problems as one that is read on this thread', async () => {
    const text = fileOf([modelOf(101, 'a', ', cost_input_tokens_rub: -1')]);
    const { message, details } = refusalOf(() => parseCatalogue(text, known));
    expect(await rejectionOf(readOnThread(text, known))).toMatchObject({ message, details });
  });
});

for (const dialect of dialects) {
  test(`${dialect}: the admin operation warns of a price of output without one of input`, async () => {
    await using gateway = await openGateway(dialect);
    const admin = await gateway.addUser({ isAdmin: true });
    const model = modelOf(101, 'a', ', cost_output_tokens_rub: 2');
    const yaml = fileOf([model]).replace('${UP_KEY}', 'k');
    const { warnings } = await gateway.data<{ warnings: string[] }>(
      '/admin/catalogue/apply/',
      { yaml },
      admin,
    );
    expect(warnings).toEqual([expect.stringContaining('so input is free')]);
  });
}
