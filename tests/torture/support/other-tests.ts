/** Promises whose tests have only one size. */
import { join } from 'node:path';
import type { Dialect } from '../../../src/db/index.ts';
import type { Report } from './campaign.ts';

const root = join(import.meta.dir, '../../..');

export async function runTests(paths: readonly string[], dialect: Dialect): Promise<Report> {
  const child = Bun.spawn(['sh', join(root, 'bin/bun'), 'test', '--timeout=60000', ...paths], {
    cwd: root,
    env: { ...process.env, DIALECTS: dialect },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [code, out, error] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const all = out + error;
  const passed = Number(/^\s*(\d+) pass/m.exec(all)?.[1] ?? 0);
  const failed = all.match(/^\(fail\) .*/gm) ?? [];
  return {
    figures: { passed },
    broken: code === 0 && passed > 0 ? [] : [...failed, `bun test ended with ${code}`],
  };
}
