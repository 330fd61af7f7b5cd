import { asArray, asLabel, asRecord, type JsonRecord } from '../shared/json.ts';

/** A row of `GET /api/tags`. */
export interface ListedModel {
  name: string;
  /** Changes with the model, and only then. */
  digest: string;
  /** Such as `3.2B` and `Q4_K_M`; null where it is not told. */
  size: string | null;
  quantization: string | null;
  family: string | null;
}

/** What an Ollama tells of a model that it has. */
export interface OllamaModel {
  name: string;
  /** An embedding model takes no messages. */
  use: 'chat' | 'embeddings';
  /** What it can do besides, in Ollama's words: `vision`, `tools`, `thinking` … */
  capabilities: readonly string[];
  /** Such as `3.2B, Q4_K_M`; may be empty. */
  build: string;
  /** Tokens that input and output share, as Ollama will really set them aside. */
  contextTokens: number;
}

/**
 * What an Ollama sets aside for a model where nothing says more: it depends on its graphics memory, which
 * it does not tell. What is longer it would cut without a word, so the least is taken.
 */
const CONTEXT_TOKENS_DEFAULT = 4_096;
/** Families that only embed, for servers so old that they tell no capabilities. */
const embeddingFamily = /bert$/i;

/**
 * The models that run there. Those that Ollama would pass on to its cloud are left out: nothing leaves the
 * machine that its operator did not configure.
 * @param body of `GET /api/tags`
 * @returns undefined when it is none
 */
export function listedModels(body: unknown): ListedModel[] | undefined {
  const rows = asArray(asRecord(body)?.['models']);
  return rows?.flatMap((item) => {
    const row = asRecord(item) ?? {};
    const name = asLabel(row['model']) ?? asLabel(row['name']);
    if (name === null || isRemote(row)) return [];
    const details = asRecord(row['details']) ?? {};
    return {
      name,
      digest: asLabel(row['digest']) ?? '',
      size: asLabel(details['parameter_size']),
      quantization: asLabel(details['quantization_level']),
      family: asLabel(details['family']),
    };
  });
}

function isRemote(row: JsonRecord): boolean {
  return asLabel(row['remote_host']) !== null || asLabel(row['remote_model']) !== null;
}

/**
 * @param body of `POST /api/show`
 * @param contextTokens what that Ollama sets aside by its own settings, where it is known
 * @returns undefined for a model that neither answers nor embeds
 */
export function shownModel(
  listed: ListedModel,
  body: unknown,
  contextTokens: number | undefined,
): OllamaModel | undefined {
  const show = asRecord(body) ?? {};
  if (isRemote(show)) return undefined;
  const told = asArray(show['capabilities'])?.flatMap((item) => asLabel(item) ?? []);
  const capabilities = told ?? [
    embeddingFamily.test(listed.family ?? '') ? 'embedding' : 'completion',
  ];
  const use = useOf(capabilities);
  if (use === undefined) return undefined;
  const own = numCtx(show['parameters']) ?? contextTokens ?? CONTEXT_TOKENS_DEFAULT;
  return {
    name: listed.name,
    use,
    capabilities: capabilities.filter((name) => name !== 'completion' && name !== 'embedding'),
    build: [listed.size, listed.quantization].filter((text) => text !== null).join(', '),
    contextTokens: Math.min(own, trainedTokens(show['model_info']) ?? own),
  };
}

function useOf(capabilities: readonly string[]): OllamaModel['use'] | undefined {
  if (capabilities.includes('completion')) return 'chat';
  return capabilities.includes('embedding') ? 'embeddings' : undefined;
}

/** `num_ctx` of the Modelfile, which stands as a line `num_ctx  8192`. */
function numCtx(parameters: unknown): number | undefined {
  if (typeof parameters !== 'string') return undefined;
  const digits = /^num_ctx\s+([1-9]\d{0,8})\s*$/m.exec(parameters)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** `llama.context_length` and its like: the most that the model was trained for. */
function trainedTokens(info: unknown): number | undefined {
  const [, tokens] =
    Object.entries(asRecord(info) ?? {}).find(([name]) => /^[^.]+\.context_length$/.test(name)) ??
    [];
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0
    ? tokens
    : undefined;
}
