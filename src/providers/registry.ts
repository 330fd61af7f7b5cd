import { OpenAiProvider } from './openai/provider.ts';
import { SandboxProvider } from './sandbox/provider.ts';
import type { Provider, ProviderSetup } from './spec.ts';

/** A new dialect is a folder and a line here. */
const makers: Readonly<Record<string, (setup: ProviderSetup) => Provider>> = {
  openai: (setup) => new OpenAiProvider(setup),
  sandbox: () => new SandboxProvider(),
};

/** The kinds that a catalogue may name. */
export const providerKinds: readonly string[] = Object.keys(makers);

/** @throws when the kind is not one of `providerKinds`: the catalogue checks it before */
export function createProvider(setup: ProviderSetup): Provider {
  const make = Object.hasOwn(makers, setup.kind) ? makers[setup.kind] : undefined;
  if (!make) {
    const known = providerKinds.join(', ');
    throw new Error(`provider ${setup.code}: kind ${setup.kind} is unknown; use one of: ${known}`);
  }
  return make(setup);
}
