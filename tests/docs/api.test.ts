/** docs/api.md: its table of errors agrees with the codes, and its examples run against a gateway. */
import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { statusOf } from '../../src/http/errors.ts';
import { openGateway } from '../support/gateway.ts';

const guide = await Bun.file(`${import.meta.dir}/../../docs/api.md`).text();

/** The rows of the table of errors as pairs; a status is only in the first of its rows. */
function documentedStatuses(): Record<string, number> {
  let status = 0;
  const rows = guide.matchAll(/^\| (\d{3})? ?\| `(\w+)` \|/gm);
  return Object.fromEntries(
    [...rows].map(([, given, code = '']) => {
      status = given === undefined ? status : Number(given);
      return [code, status];
    }),
  );
}

test('every error code is in the table with its status, and no other', () => {
  expect(documentedStatuses()).toEqual({ ...statusOf });
});

test('the examples run as one program, plain and streamed', async () => {
  await using gateway = await openGateway('sqlite');
  const { userId, token } = await gateway.addUser({ credit: 10 });
  const { key } = await gateway.core.keys.create(userId, { name: 'guide', expiresAt: null });
  const folder = await mkdtemp(join(tmpdir(), 'zastava-guide-'));
  try {
    const program = join(folder, 'guide.mjs');
    const examples = [...guide.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
    await Bun.write(program, examples.join('\n'));
    const child = Bun.spawn([process.execPath, program], {
      env: { ZASTAVA_URL: gateway.listen(), ZASTAVA_KEY: key },
      stderr: 'pipe',
    });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect({ code: await child.exited, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('You wrote: “Hello”.');
    expect(out).toMatch(/You wrote: “And now\?”. I was given 1 earlier message /);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const { data } = await gateway.data<{ data: unknown[] }>(
    '/ai/history/',
    { room_id: null },
    { token },
  );
  expect(data).toHaveLength(2);
});
