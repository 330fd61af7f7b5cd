/**
 * The part of the Vercel AI SDK's provider specification that the gateway uses. What a package answers is
 * read as JSON of others is: nothing of it is taken on trust.
 */

/** Versions that the gateway speaks: 3 is that of the SDK 6, whose packages run on Node 18 and up, 4 of 7. */
export const versions = ['v3', 'v4'] as const;
export type Version = (typeof versions)[number];

export type SdkPart =
  | { type: 'text'; text: string }
  | {
      type: 'file';
      mediaType: string;
      /** In version 3 it is base64 or the address itself. */
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

/** What a package's `create…` function makes. */
export interface SdkProvider {
  specificationVersion: Version;
  languageModel(model: string): LanguageModel;
  imageModel(model: string): ImageModel;
  embeddingModel(model: string): EmbeddingModel;
}
