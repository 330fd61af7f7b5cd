import { join } from 'node:path';
import packageFile from '../package.json' with { type: 'json' };

interface Component {
  'bom-ref': string;
  properties?: { name: string }[];
}

/** The part of CycloneDX that is changed here. */
interface Bill {
  metadata: { component: { name: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const DEVELOPMENT = 'cdx:npm:package:development';

/**
 * What the product is made of, with versions, licences and digests, as CycloneDX: npm's own, out of the lock
 * file. The runtimes of all platforms stand in it.
 */
export async function billOfMaterials(): Promise<string> {
  const npm = Bun.spawn(['npm', 'sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
    cwd: join(import.meta.dir, '..'),
    stdin: 'ignore',
    stderr: 'ignore',
  });
  const text = await new Response(npm.stdout).text();
  if ((await npm.exited) !== 0) throw new Error('`npm sbom` failed: run it to see why');
  const bill = JSON.parse(text) as Bill;
  // npm calls it after the folder.
  bill.metadata.component.name = packageFile.name;
  // Its `--omit=dev` also leaves out what tools need besides the product.
  bill.components = bill.components.filter(
    ({ properties = [] }) => !properties.some(({ name }) => name === DEVELOPMENT),
  );
  const kept = new Set(bill.components.map((component) => component['bom-ref']));
  bill.dependencies = bill.dependencies
    .filter(({ ref }, index) => index === 0 || kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
  return `${JSON.stringify(bill, null, 2)}\n`;
}
