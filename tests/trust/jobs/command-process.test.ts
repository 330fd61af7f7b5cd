/** A command in a separate process, and each way it can end. */
import { expect, test } from 'bun:test';
import type { ProgressView } from '../../../src/lib/json-line.ts';
import { runCommand } from '../../../src/trust/jobs/command-process.ts';
import { failure } from '../../support/failure.ts';

/** Runs a shell script in place of this program. */
function script(text: string, signal = new AbortController().signal) {
  const progress: ProgressView[] = [];
  const warnings: string[] = [];
  const running = runCommand(
    { program: ['/bin/sh', '-c', text], env: {} },
    { words: [], input: 'a line\n' },
    signal,
    {
      onProgress: (step) => progress.push(step),
      onWarning: (warning) => warnings.push(warning),
    },
  );
  return { running, progress, warnings };
}

test('a command reports progress, and returns its output', async () => {
  const { running, progress, warnings } = script(
    `echo '{"progress":{"step":"read","done":1,"total":null}}' >&2; echo 'no JSON' >&2; echo null >&2
     echo '{"level":40,"msg":"of the log"}' >&2; echo '{"warning":"careful"}' >&2
     read text; echo "{\\"read\\":\\"$text\\"}"`,
  );
  expect(await running).toEqual({ read: 'a line' });
  expect(progress).toEqual([{ step: 'read', done: 1, total: null }]);
  expect(warnings).toEqual(['careful']);
});

test('a command fails with the error that it reported, or else with its exit status', async () => {
  const refused = script(`echo '{"error":{"code":"not_found","message":"no such"}}' >&2; exit 1`);
  expect(await failure(refused.running)).toMatchObject({ code: 'not_found', message: 'no such' });
  const odd = script(`echo '{"error":{"code":"failed","message":"broken"}}' >&2; exit 1`);
  expect(await failure(odd.running)).toMatchObject({ code: 'internal_error', message: 'broken' });
  const silent = script('exit 3');
  expect(String(await failure(silent.running))).toContain('without reporting an error (exit 3)');
  const killed = script('kill -9 $$');
  expect(String(await failure(killed.running))).toContain('(SIGKILL): if memory ran out');
  const missing = runCommand(
    { program: ['/nowhere/zastava'], env: {} },
    { words: [], input: '' },
    new AbortController().signal,
    { onProgress: () => {}, onWarning: () => {} },
  );
  expect(String(await failure(missing))).toContain('ENOENT');
});

test('a command ends at the signal, even if it ignores SIGTERM', async () => {
  for (const trap of ['', "trap '' TERM;"]) {
    const stop = new AbortController();
    const ready = `${trap} echo '{"warning":"ready"}' >&2; while :; do sleep 0.1; done`;
    const { running, warnings } = script(ready, stop.signal);
    while (warnings.length === 0) await Bun.sleep(5);
    stop.abort();
    const how = trap === '' ? 'SIGTERM' : 'SIGKILL';
    expect(String(await failure(running))).toContain(how);
  }
});
