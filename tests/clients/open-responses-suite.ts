/**
 * Runs the compliance suite of Open Responses against a fresh gateway, once for each kind of upstream:
 *
 *   git clone https://github.com/openresponses/openresponses FOLDER && (cd FOLDER && npm install)
 *   sh bin/bun tests/clients/open-responses-suite.ts FOLDER [TEST-ID,…]
 */
import { join } from 'node:path';
import { modelAt, openUpstreams, upstreamKinds } from '../support/wire-examples.ts';

const [folder, only] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder of the suite');

await using upstreams = await openUpstreams('sqlite');
const { gateway } = upstreams;
const { token } = await gateway.addUser({ credit: 1_000 });
const origin = gateway.listen();
let failed = 0;
for (const kind of upstreamKinds) {
  const suite = Bun.spawn({
    cmd: [
      process.execPath,
      join(folder, 'bin/compliance-test.ts'),
      '--base-url',
      `${origin}/v1`,
      '--model',
      modelAt(kind),
      '--api-key',
      token,
      ...(only === undefined ? [] : ['--filter', only]),
    ],
    stdout: 'inherit',
    stderr: 'inherit',
  });
  if ((await suite.exited) !== 0) failed++;
}
process.exitCode = failed === 0 ? 0 : 1;
