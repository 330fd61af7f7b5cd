/**
 * The part of the Vercel AI SDK's provider specification that the gateway uses. Results of packages are not trusted:
 * their readers check them.
 */

/** Supported versions: 3 belongs to SDK 6, whose packages run on Node 18 and later, 4 to SDK 7. */
export const versions = ['v3', 'v4'] as const;
export type Version = (typeof versions)[number];

export interface CallOptions {
  abortSignal: AbortSignal;
  headers: Record<string, string>;
}

type Method = (options: CallOptions) => PromiseLike<unknown>;

/** What a package's `create…` function returns. */
export interface SdkProvider {
  specificationVersion: Version;
  languageModel(model: string): { supportedUrls: unknown; doGenerate: Method; doStream: Method };
  imageModel(model: string): { doGenerate: Method };
  embeddingModel(model: string): { maxEmbeddingsPerCall: unknown; doEmbed: Method };
}
