import { incomprehensible } from '../shared/failures.ts';
import { asArray, asRecord } from '../shared/json.ts';
import { LeftOut } from '../shared/unsupported.ts';
import { tokenCount } from '../shared/usage.ts';
import { asVector } from '../shared/vectors.ts';
import { noUsage, type EmbeddingAnswer, type EmbeddingRequest } from '../spec.ts';
import { readWarnings } from './answer.ts';
import type { CallOptions, SdkProvider } from './specification.ts';

/** Texts of one call where a package tells no limit of its own. */
const EMBEDDINGS_PER_CALL = 96;

/** Asks an embedding model of the SDK for the first of the texts, as many at once as it takes. */
export async function embed(
  sdk: SdkProvider,
  request: EmbeddingRequest,
  call: CallOptions,
): Promise<EmbeddingAnswer> {
  const leftOut = new LeftOut(request);
  let dimensions = {};
  if (sdk.specificationVersion !== 'v3') dimensions = dimensionsOf(request);
  else leftOut.addIf(request.dimensions, 'dimensions', 'This provider has vectors of one length.');
  const model = sdk.embeddingModel(request.model);
  const told = await model.maxEmbeddingsPerCall;
  const atOnce = typeof told === 'number' && told >= 1 ? told : EMBEDDINGS_PER_CALL;
  const values = request.input.slice(0, atOnce);
  const result = asRecord(await model.doEmbed({ ...call, values, ...dimensions }));
  const embeddings = asArray(result?.['embeddings']);
  if (embeddings?.length !== values.length) throw incomprehensible('it lacks vectors');
  const tokens = tokenCount(asRecord(result?.['usage'])?.['tokens']);
  return {
    vectors: embeddings.map((vector) => asVector(vector, noUsage)),
    usage: { ...noUsage, promptTokens: tokens, totalTokens: tokens },
    warnings: [...leftOut.warnings, ...readWarnings(result?.['warnings'])],
  };
}

function dimensionsOf({ dimensions }: EmbeddingRequest): { dimensions?: number } {
  return dimensions === undefined ? {} : { dimensions };
}
