import { AiSdkProvider } from './ai-sdk/provider.ts';
import { ANTHROPIC_BASE_URL, AnthropicProvider } from './anthropic/provider.ts';
import { GEMINI_BASE_URL, GeminiProvider } from './gemini/provider.ts';
import { GIGACHAT_BASE_URL, gigaChatScopes, GigaChatProvider } from './gigachat/provider.ts';
import { OPENAI_BASE_URL } from './openai/dialect.ts';
import { OpenAiProvider } from './openai/provider.ts';
import { serverOf } from './openai/server.ts';
import { SandboxProvider } from './sandbox/provider.ts';
import { attachmentsIn, isTextFile } from './shared/parts.ts';
import type { ProviderSetup } from '../lib/provider-setup.ts';
import type { Message, Provider, ReasoningBlock } from './spec.ts';
import { YANDEX_TEXT_BASE_URL, yandexHeaders, YandexProvider } from './yandex/provider.ts';

/** An option that a catalogue may set for providers of a kind. */
export interface KindOption {
  name: string;
  required?: boolean;
  /** The allowed values; absent: any text. */
  values?: readonly string[];
}

/** The kinds of parts that some models of a provider accept besides texts. */
interface TakenParts {
  images: boolean;
  /** Files other than texts: text files are sent as text. */
  files: boolean;
}

const everything: TakenParts = { images: true, files: true };
const textsOnly: TakenParts = { images: false, files: false };

interface Kind {
  make(setup: ProviderSetup, packagesFrom: string): Provider;
  /** The address that is called if the catalogue names no `base_url`. Absent: only the provider's package knows it. */
  standardUrl?: string;
  takes(setup: ProviderSetup): TakenParts;
  /** Whether this model is sent a reasoning block that the caller has. Absent: it is sent none. */
  takesBack?(setup: ProviderSetup, model: string, block: ReasoningBlock): boolean;
  options?: readonly KindOption[];
}

/** A new dialect needs a folder, a row here, and what CONTRIBUTING.md lists under “Add a provider”. */
const kinds: Readonly<Record<string, Kind>> = {
  openai: {
    make: (setup) => new OpenAiProvider(setup),
    standardUrl: OPENAI_BASE_URL,
    takes: (setup) => {
      const { traits, api } = serverOf(setup);
      return { images: traits.images, files: traits.files !== 'none' || api === 'responses' };
    },
    takesBack: (setup, model, { seal }) => {
      const { traits, api } = serverOf(setup);
      if (!seal) return traits.earlierReasoning !== 'none';
      const hasResponses = api === undefined ? traits.hasResponses : api === 'responses';
      return hasResponses && seal.by === 'openai' && seal.model === model;
    },
    options: [
      { name: 'server', values: ['ollama'] },
      { name: 'api', values: ['chat', 'responses'] },
      { name: 'api_version' },
    ],
  },
  anthropic: {
    make: (setup) => new AnthropicProvider(setup),
    standardUrl: ANTHROPIC_BASE_URL,
    takes: () => everything,
    takesBack: (_setup, _model, { seal }) => seal?.by === 'anthropic',
  },
  gemini: {
    make: (setup) => new GeminiProvider(setup),
    standardUrl: GEMINI_BASE_URL,
    takes: () => everything,
    takesBack: (_setup, _model, { seal }) => seal?.by === 'gemini',
  },
  gigachat: {
    make: (setup) => new GigaChatProvider(setup),
    standardUrl: GIGACHAT_BASE_URL,
    takes: () => textsOnly,
    options: [{ name: 'scope', values: gigaChatScopes }, { name: 'ca_file' }, { name: 'auth_url' }],
  },
  yandex: {
    make: (setup) => new YandexProvider(setup, compatiblePartOfYandex(setup)),
    standardUrl: YANDEX_TEXT_BASE_URL,
    takes: () => ({ images: true, files: false }),
    options: [{ name: 'folder', required: true }, { name: 'image_base_url' }],
  },
  'ai-sdk': {
    make: (setup, packagesFrom) => new AiSdkProvider(setup, packagesFrom),
    takes: () => everything,
    options: [{ name: 'package', required: true }, { name: 'factory' }],
  },
  sandbox: { make: () => new SandboxProvider(), takes: () => textsOnly },
};

/** Yandex's texts use OpenAI's dialect, with different headers. */
export function compatiblePartOfYandex(setup: ProviderSetup): OpenAiProvider {
  const { baseUrl = YANDEX_TEXT_BASE_URL } = setup;
  const traits = { usageOnRequest: false };
  return new OpenAiProvider({ ...setup, baseUrl, authorization: yandexHeaders(setup), traits });
}

/** The kinds that a catalogue may name. */
export const providerKinds: readonly string[] = Object.keys(kinds);

/** The options of each kind, by its name. */
export const providerOptions: Readonly<Record<string, readonly KindOption[]>> = Object.fromEntries(
  Object.entries(kinds).map(([kind, { options = [] }]) => [kind, options]),
);

/**
 * The first kind of part in these messages that no model of the provider accepts, or that this model does not.
 * @param takesImages the operator's setting for the model; undefined: not set
 */
export function untakenParts(
  setup: ProviderSetup,
  messages: readonly Message[],
  takesImages: boolean | undefined,
): 'images' | 'files' | undefined {
  let takes: TakenParts | undefined;
  for (const message of messages) {
    for (const part of attachmentsIn(message)) {
      takes ??= kindOf(setup).takes(setup);
      if (part.type === 'image' && !(takesImages ?? takes.images)) return 'images';
      if (part.type === 'file' && !takes.files && !isTextFile(part)) return 'files';
    }
  }
  return undefined;
}

/** Whether a call of this model at the provider has a reasoning block that the caller sent along. */
export function isSentBack(setup: ProviderSetup, model: string, block: ReasoningBlock): boolean {
  return kindOf(setup).takesBack?.(setup, model, block) ?? false;
}

/** Where a provider is; undefined if only its calls show it. */
export function addressOf({ kind, baseUrl }: ProviderSetup): string | undefined {
  return baseUrl ?? kindNamed(kind)?.standardUrl;
}

function kindNamed(name: string): Kind | undefined {
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}

function kindOf({ code, kind: name }: ProviderSetup): Kind {
  const kind = kindNamed(name);
  if (kind) return kind;
  const known = providerKinds.join(', ');
  throw new Error(`provider ${code}: kind ${name} is unknown; use one of: ${known}`);
}

/**
 * @param packagesFrom the folder from which packages of the AI SDK are resolved; by default the folder of this code
 * @throws if the kind is not one of `providerKinds`; the catalogue checks it before
 */
export function createProvider(
  setup: ProviderSetup,
  packagesFrom: string = import.meta.dir,
): Provider {
  return kindOf(setup).make(setup, packagesFrom);
}
