import { Omissions } from '../shared/unsupported.ts';
import { readVectors } from '../shared/vectors.ts';
import { anything, list, section, tokens } from '../shared/wire.ts';
import { noUsage, type EmbeddingAnswer, type EmbeddingRequest } from '../spec.ts';
import { readWarnings } from './answer.ts';
import type { CallOptions, SdkProvider } from './specification.ts';

const wireEmbeddings = section({
  embeddings: list,
  usage: section({ tokens }),
  warnings: anything,
});

/** Texts in one call if a package has no limit of its own. */
const EMBEDDINGS_PER_CALL = 96;

/** Calls an embedding model of the SDK for the first texts, as many as it accepts at once. */
export async function embed(
  sdk: SdkProvider,
  request: EmbeddingRequest,
  call: CallOptions,
): Promise<EmbeddingAnswer> {
  const omissions = new Omissions(request);
  const knowsDimensions = sdk.specificationVersion !== 'v3';
  if (!knowsDimensions) omissions.addAll('dimensions');
  const { dimensions } = request;
  const model = sdk.embeddingModel(request.model);
  const max = await model.maxEmbeddingsPerCall;
  const atOnce = typeof max === 'number' && max >= 1 ? max : EMBEDDINGS_PER_CALL;
  const values = request.input.slice(0, atOnce);
  const wanted = knowsDimensions && dimensions !== undefined && { dimensions };
  const options = { ...call, values, ...wanted };
  const result = wireEmbeddings.parse(await model.doEmbed(options));
  const items = result?.embeddings?.map((embedding) => ({ embedding }));
  const promptTokens = result?.usage?.tokens ?? null;
  return {
    vectors: readVectors(items, values.length, noUsage),
    usage: { ...noUsage, promptTokens, totalTokens: promptTokens },
    warnings: [...omissions.warnings, ...readWarnings(result?.warnings)],
  };
}
