/**
 * The part of the Vercel AI SDK's provider specification, version 4, that the gateway uses. What a package
 * answers is read as JSON of others is: nothing of it is taken on trust.
 */

export type SdkPart =
  | { type: 'text'; text: string }
  | {
      type: 'file';
      mediaType: string;
      data: { type: 'data'; data: string } | { type: 'url'; url: URL };
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
  languageModel(model: string): LanguageModel;
  imageModel(model: string): ImageModel;
  embeddingModel(model: string): EmbeddingModel;
}
