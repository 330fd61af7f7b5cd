import type { Result } from './cells.ts';
import type { Installed } from './install.ts';
import { stopping } from './stopping.ts';
import { environment, type Place } from './try.ts';

/** A tool that hangs is ended after this time. */
const RUN_MINUTES = 15;

/** Runs a tool that reads the OpenAPI document, and asks the gateway what it promises. */
export async function tryDocument(
  { folder, command }: Installed,
  { gateway }: Place,
): Promise<Result['outcomes']> {
  const child = Bun.spawn(command, {
    cwd: folder,
    env: environment(folder, { ZASTAVA_KEY: gateway.key, ADDRESS: gateway.url }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: Bun.file(`${folder}/driver.log`),
    timeout: RUN_MINUTES * 60_000,
    signal: stopping,
  });
  const output = await new Response(child.stdout).text();
  const line = output.split('\n').find((each) => each.startsWith('@@ '));
  const { ok, said } = JSON.parse(
    line?.slice(3) ?? '{"ok":false,"said":"the tool did not end"}',
  ) as {
    ok: boolean;
    said: string;
  };
  return { document: { 'gpt-5.1': ok ? { verdict: 'pass' } : { verdict: 'fails', note: said } } };
}
