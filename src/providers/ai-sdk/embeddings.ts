import { Omissions } from '../shared/unsupported.ts';
import { readVectors } from '../shared/vectors.ts';
import { noUsage, type EmbeddingAnswer, type EmbeddingRequest } from '../spec.ts';
import { readWarnings } from './answer.ts';
import type { CallOptions, SdkProvider } from './specification.ts';
import { wireEmbeddings } from './wire.ts';

/** Texts in one call if a package has no limit of its own. */
const EMBEDDINGS_PER_CALL = 96;

/** Calls an embedding model of the SDK for the first texts, as many as it accepts at once. */
export async function embed(
  sdk: SdkProvider,
  request: EmbeddingRequest,
  call: CallOptions,
): Promise<EmbeddingAnswer> {
  const omissions = new Omissions(request);
  let dimensions = {};
  if (sdk.specificationVersion !== 'v3') dimensions = dimensionsOf(request);
  else
    omissions.addIf(request.dimensions, 'dimensions', 'This provider does not support dimensions.');
  const model = sdk.embeddingModel(request.model);
  const max = await model.maxEmbeddingsPerCall;
  const atOnce = typeof max === 'number' && max >= 1 ? max : EMBEDDINGS_PER_CALL;
  const values = request.input.slice(0, atOnce);
  const result = wireEmbeddings.parse(await model.doEmbed({ ...call, values, ...dimensions }));
  const tokens = result?.usage?.tokens ?? null;
  return {
    vectors: readVectors(result?.embeddings, values.length, noUsage),
    usage: { ...noUsage, promptTokens: tokens, totalTokens: tokens },
    warnings: [...omissions.warnings, ...readWarnings(result?.warnings)],
  };
}

function dimensionsOf({ dimensions }: EmbeddingRequest): { dimensions?: number } {
  return dimensions === undefined ? {} : { dimensions };
}
