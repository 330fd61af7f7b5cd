import type { ProviderSetup } from '../../lib/provider-setup.ts';
import { ProviderError } from '../spec.ts';
import { versions, type SdkProvider } from './specification.ts';

/** Package names of the registry; never a path, so that a catalogue can only load packages. */
const packageName = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i;

/** The option `package` is e.g. `@ai-sdk/mistral`; `factory` the function that makes the provider. */
export type PackageSetup = Pick<ProviderSetup, 'baseUrl' | 'apiKey' | 'options' | 'headers'>;

/**
 * Loads a provider package, which the operator has installed, and makes its provider.
 * @param from the folder from which the package is resolved
 * @param onFetch gets the address of each of its calls
 * @throws ProviderError `failed`, not accepted; its detail explains the problem to the operator
 */
export async function loadProvider(
  setup: PackageSetup,
  from: string,
  onFetch: (url: string) => void,
): Promise<SdkProvider> {
  const { apiKey, baseUrl, options, headers } = setup;
  const name = options['package'] ?? '';
  if (!packageName.test(name)) throw unusable(`${name} is not a package name`);
  const exports = await importPackage(name, from);
  const create = factoryOf(name, exports, options['factory']);
  // Without a key, a package reads its own environment variable.
  const provider = create({
    ...(apiKey && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    ...(headers && { headers }),
    fetch: (input: string | URL | Request, init?: RequestInit) => {
      onFetch(input instanceof Request ? input.url : String(input));
      return fetch(input, init);
    },
  });
  const version = specificationOf(provider);
  if (versions.some((known) => known === version)) return provider as SdkProvider;
  throw unusable(
    `${name} implements specification ${String(version)}, not ${versions.join(' or ')}`,
  );
}

/** A provider is usually a function with methods as properties. */
function specificationOf(provider: unknown): unknown {
  const isCallable = typeof provider === 'function';
  if (!isCallable && (typeof provider !== 'object' || provider === null)) return undefined;
  return 'specificationVersion' in provider ? provider.specificationVersion : undefined;
}

async function importPackage(name: string, from: string): Promise<Record<string, unknown>> {
  try {
    return (await import(Bun.resolveSync(name, from))) as Record<string, unknown>;
  } catch (error) {
    throw unusable(`the package ${name} cannot be loaded; is it installed?`, error);
  }
}

type Factory = (options: Record<string, unknown>) => unknown;

function factoryOf(
  name: string,
  exports: Record<string, unknown>,
  wanted: string | undefined,
): Factory {
  const factories = Object.keys(exports).filter(
    (key) => typeof exports[key] === 'function' && /^create[A-Z]/.test(key),
  );
  const key = wanted ?? (factories.length === 1 ? factories[0] : undefined);
  const create = key === undefined ? undefined : exports[key];
  if (typeof create === 'function') return create as Factory;
  const list = factories.join(', ') || 'none';
  throw unusable(`set the option factory for ${name} to one of its functions: ${list}`);
}

function unusable(detail: string, cause?: unknown): ProviderError {
  const message = 'The provider package cannot be used.';
  return new ProviderError('failed', message, { accepted: false, detail, cause });
}
