/** The lines of the README that a new user pastes run unchanged. */
import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleFile } from '../../src/catalogue/index.ts';
import { openGateway, PASSWORD } from '../support/gateway.ts';

const readme = await Bun.file(`${import.meta.dir}/../../README.md`).text();
const section = (heading: string) =>
  new RegExp(`^## ${heading}\\n([\\s\\S]*?)^## `, 'm').exec(readme)?.[1] ?? '';
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block = '']) => block,
  );

test('the first steps, pasted one after the other', async () => {
  await using gateway = await openGateway('sqlite');
  await gateway.addUser({ login: 'admin', credit: 1000, isAdmin: true });
  const url = gateway.listen();
  const folder = await mkdtemp(join(tmpdir(), 'zastava-readme-'));
  try {
    const steps = blocks(section('First steps'), 'sh').join('\n');
    expect(steps).toContain("PASSWORD='the printed password'");
    const script = steps
      .replaceAll('http://127.0.0.1:8080', url)
      .replace('the printed password', PASSWORD);
    const shell = Bun.spawn(['sh', '-eu', '-c', script], { cwd: folder, stderr: 'pipe' });
    const [out, err] = await Promise.all([shell.stdout.text(), shell.stderr.text()]);
    expect({ code: await shell.exited, err }).toEqual({ code: 0, err: '' });
    expect(out).not.toContain('"status":"error"');
    expect(out).toContain('You wrote: “Hello”. I was given 0 earlier messages');
    expect(out).toContain('You wrote: “And again”. I was given 1 earlier message ');
    const image = await Bun.file(join(folder, 'gate.png')).bytes();
    expect(Buffer.from(image.subarray(1, 4)).toString()).toBe('PNG');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('the example catalogue is valid and has the models that it names', async () => {
  await using gateway = await openGateway('sqlite', { env: { OPENAI_API_KEY: 'sk-test' } });
  const [yaml = ''] = blocks(section('Real providers'), 'yaml');
  expect(yaml).toBe(`# catalogue.yaml\n${exampleFile}`);
  const changes = await gateway.core.catalogue.apply(yaml);
  expect(changes.map(({ kind, subject }) => `${kind} ${subject}`)).toContain(
    'added model 101 openai/gpt-5-mini',
  );
});
