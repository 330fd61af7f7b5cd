import { AiSdkProvider } from './ai-sdk/provider.ts';
import { AnthropicProvider } from './anthropic/provider.ts';
import { GeminiProvider } from './gemini/provider.ts';
import { gigaChatScopes, GigaChatProvider } from './gigachat/provider.ts';
import { OpenAiProvider } from './openai/provider.ts';
import { SandboxProvider } from './sandbox/provider.ts';
import type { ProviderSetup } from './shared/setup.ts';
import type { Provider } from './spec.ts';
import { YANDEX_TEXT_BASE_URL, yandexHeaders, YandexProvider } from './yandex/provider.ts';

/** An option that a catalogue may set for providers of a kind. */
export interface KindOption {
  name: string;
  required?: boolean;
  /** The allowed values; absent: any text. */
  values?: readonly string[];
}

interface Kind {
  make(setup: ProviderSetup, packagesFrom: string): Provider;
  options?: readonly KindOption[];
}

/** A new dialect needs a folder, a row here, and what CONTRIBUTING.md lists under “Add a provider”. */
const kinds: Readonly<Record<string, Kind>> = {
  openai: { make: (setup) => new OpenAiProvider(setup) },
  anthropic: { make: (setup) => new AnthropicProvider(setup) },
  gemini: { make: (setup) => new GeminiProvider(setup) },
  gigachat: {
    make: (setup) => new GigaChatProvider(setup),
    options: [{ name: 'scope', values: gigaChatScopes }, { name: 'ca_file' }, { name: 'auth_url' }],
  },
  yandex: {
    make: (setup) => new YandexProvider(setup, compatiblePartOfYandex(setup)),
    options: [{ name: 'folder', required: true }, { name: 'image_base_url' }],
  },
  'ai-sdk': {
    make: (setup, packagesFrom) => new AiSdkProvider(setup, packagesFrom),
    options: [{ name: 'package', required: true }, { name: 'factory' }],
  },
  sandbox: { make: () => new SandboxProvider() },
};

/** Yandex's texts use OpenAI's dialect, with other headers. */
export function compatiblePartOfYandex(setup: ProviderSetup): OpenAiProvider {
  const { apiKey, baseUrl = YANDEX_TEXT_BASE_URL } = setup;
  return new OpenAiProvider({ baseUrl, apiKey, headers: yandexHeaders(setup) });
}

/** The kinds that a catalogue may name. */
export const providerKinds: readonly string[] = Object.keys(kinds);

/** The options of each kind, by its name. */
export const providerOptions: Readonly<Record<string, readonly KindOption[]>> = Object.fromEntries(
  Object.entries(kinds).map(([kind, { options = [] }]) => [kind, options]),
);

/**
 * @param packagesFrom the folder from which packages of the AI SDK are resolved; by default the folder of this code
 * @throws if the kind is not one of `providerKinds`; the catalogue checks it before
 */
export function createProvider(
  setup: ProviderSetup,
  packagesFrom: string = import.meta.dir,
): Provider {
  const kind = Object.hasOwn(kinds, setup.kind) ? kinds[setup.kind] : undefined;
  if (!kind) {
    const known = providerKinds.join(', ');
    throw new Error(`provider ${setup.code}: kind ${setup.kind} is unknown; use one of: ${known}`);
  }
  return kind.make(setup, packagesFrom);
}
