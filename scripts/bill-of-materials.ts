import { join } from 'node:path';
import packageFile from '../package.json' with { type: 'json' };

interface Component {
  'bom-ref': string;
  properties?: { name: string }[];
}

/** The part of CycloneDX that this script modifies. */
interface Bill {
  metadata: { component: { name: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const DEVELOPMENT = 'cdx:npm:package:development';

/**
 * Lists the product's packages with versions, licences and digests in CycloneDX: npm's list from the lock file, plus
 * the runtimes of all platforms.
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
  // npm uses the name of the folder.
  bill.metadata.component.name = packageFile.name;
  // npm's `--omit=dev` also omits packages that both tools and the product need.
  bill.components = bill.components.filter(
    ({ properties = [] }) => !properties.some(({ name }) => name === DEVELOPMENT),
  );
  const kept = new Set(bill.components.map((component) => component['bom-ref']));
  bill.dependencies = bill.dependencies
    .filter(({ ref }, index) => index === 0 || kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
  return `${JSON.stringify(bill, null, 2)}\n`;
}
