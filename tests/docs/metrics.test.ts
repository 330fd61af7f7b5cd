/** The table of metrics in docs/operating.md agrees with the metrics of a gateway. */
import { expect, test } from 'bun:test';
import { openWorld, type World } from '../support/world.ts';

/** Label names by metric. */
type Labels = Record<string, string[]>;

async function documented(): Promise<Labels> {
  const manual = await Bun.file(`${import.meta.dir}/../../docs/operating.md`).text();
  const rows = manual.matchAll(/^\| `((?:zastava|process)_\w+)` \|([^|]*)\|/gm);
  return Object.fromEntries(
    [...rows].map(([, name = '', labels = '']) => [name, firstGroups(labels, /`(\w+)`/g)]),
  );
}

/** By the first sample of each metric; for a histogram, that of its count. */
function exposed(text: string): Labels {
  const kinds = text.matchAll(/^# TYPE (\w+) (\w+)$/gm);
  return Object.fromEntries(
    [...kinds].map(([, name = '', kind]) => {
      const sample = kind === 'histogram' ? `${name}_count` : name;
      const line = text.split('\n').find((each) => each.startsWith(sample)) ?? 'never="counted"';
      return [name, firstGroups(line, /(\w+)="/g)];
    }),
  );
}

function firstGroups(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, group = '']) => group);
}

/** Makes every metric with labels count something. */
async function use({ gateway, provider, user }: World): Promise<void> {
  const alice = await user({ isAdmin: true });
  await provider.script({ usage: { prompt_tokens: 1, completion_tokens: 9_000 } });
  await alice.send({ max_output_tokens: 1 });
  await gateway.data('/trust/check/', { url: 'example.com' }, alice);
}

test('every metric is in the table with its labels, and no other', async () => {
  // The fetcher connects to no private address, so the fetch ends here and is counted.
  const inside = 'example.com:80=127.0.0.1:80,example.com:443=127.0.0.1:443';
  await using world = await openWorld('sqlite', { env: { ZASTAVA_FETCH_RESOLVE: inside } });
  const { gateway } = world;
  await use(world);
  const metrics = exposed(await (await gateway.fetch('/metrics')).text());
  expect(Object.keys(metrics).length).toBeGreaterThan(10);
  expect(await documented()).toEqual(metrics);
});
