import { ProviderError } from '../spec.ts';
import { versions, type SdkProvider } from './specification.ts';

/** A name as the registry has them: never a path, so that a catalogue can load nothing but packages. */
const packageName = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i;

export interface PackageSetup {
  /** e.g. `@ai-sdk/mistral`; installed by the operator. */
  name: string;
  /** The function that makes the provider; absent: the only one whose name begins with `create`. */
  factory: string | undefined;
  apiKey: string | undefined;
  baseUrl: string | undefined;
}

/**
 * Loads a provider package and makes its provider.
 * @param from the folder that the package is looked for from
 * @throws ProviderError `failed`, not accepted; its detail tells the operator what is wrong
 */
export async function loadProvider(setup: PackageSetup, from: string): Promise<SdkProvider> {
  const { name, factory, apiKey, baseUrl } = setup;
  if (!packageName.test(name)) throw unusable(`${name} is no name of a package`);
  const exports = await importPackage(name, from);
  const create = factoryOf(name, exports, factory);
  // A package without a key takes it from its own variable of the environment.
  const provider = create({
    ...(apiKey && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
  });
  const version = specificationOf(provider);
  if (versions.some((known) => known === version)) return provider as SdkProvider;
  throw unusable(`${name} speaks specification ${String(version)}, not ${versions.join(' or ')}`);
}

/** A provider is most often a function, with its other functions as properties. */
function specificationOf(provider: unknown): unknown {
  const isCallable = typeof provider === 'function';
  if (!isCallable && (typeof provider !== 'object' || provider === null)) return undefined;
  return 'specificationVersion' in provider ? provider.specificationVersion : undefined;
}

async function importPackage(name: string, from: string): Promise<Record<string, unknown>> {
  try {
    return (await import(Bun.resolveSync(name, from))) as Record<string, unknown>;
  } catch (error) {
    throw unusable(`the package ${name} can not be loaded; is it installed?`, error);
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
  throw unusable(`name the option factory for ${name}; it has: ${list}`);
}

function unusable(detail: string, cause?: unknown): ProviderError {
  const message = 'The package of the provider can not be used.';
  return new ProviderError('failed', message, { accepted: false, detail, cause });
}
