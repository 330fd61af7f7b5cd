/**
 * The part of the Vercel AI SDK's provider specification that the gateway uses. Results of packages are not trusted:
 * `wire.ts` checks them.
 */

/** Supported versions: 3 belongs to SDK 6, whose packages run on Node 18 and later, 4 to SDK 7. */
export const versions = ['v3', 'v4'] as const;
export type Version = (typeof versions)[number];

export type SdkPart =
  | { type: 'text'; text: string }
  | {
      type: 'file';
      mediaType: string;
      /** In version 3, the base64 text or the URL itself. */
      data: { type: 'data'; data: string } | { type: 'url'; url: URL } | string | URL;
    }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown }
  | {
      type: 'tool-result';
      toolCallId: string;
      toolName: string;
      output: { type: 'text'; value: string };
    };

export type SdkMessage =
  { role: 'system'; content: string } | { role: 'user' | 'assistant' | 'tool'; content: SdkPart[] };

export interface CallOptions {
  abortSignal: AbortSignal;
  headers: Record<string, string>;
}

export interface LanguageOptions extends CallOptions {
  prompt: SdkMessage[];
  maxOutputTokens: number;
  temperature?: number;
  topP?: number;
  seed?: number;
  stopSequences?: string[];
  frequencyPenalty?: number;
  presencePenalty?: number;
  tools?: unknown[];
  toolChoice?: unknown;
  responseFormat?: unknown;
  reasoning?: string;
}

export interface LanguageModel {
  supportedUrls: unknown;
  doGenerate(options: LanguageOptions): PromiseLike<unknown>;
  doStream(options: LanguageOptions): PromiseLike<unknown>;
}

export interface ImageOptions extends CallOptions {
  prompt: string;
  n: 1;
  size: string | undefined;
  aspectRatio: string | undefined;
  seed: number | undefined;
  files: undefined;
  mask: undefined;
  providerOptions: Record<string, never>;
}

export interface ImageModel {
  doGenerate(options: ImageOptions): PromiseLike<unknown>;
}

export interface EmbeddingOptions extends CallOptions {
  values: string[];
  dimensions?: number;
}

export interface EmbeddingModel {
  maxEmbeddingsPerCall: unknown;
  doEmbed(options: EmbeddingOptions): PromiseLike<unknown>;
}

/** What a package's `create…` function returns. */
export interface SdkProvider {
  specificationVersion: Version;
  languageModel(model: string): LanguageModel;
  imageModel(model: string): ImageModel;
  embeddingModel(model: string): EmbeddingModel;
}
