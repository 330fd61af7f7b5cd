import { anything, asLabel, asRecord, label, list, section } from '../shared/wire.ts';

/** Set for models that run in Ollama's cloud. */
const remote = { remote_host: label, remote_model: label };

/** `GET /api/tags` */
const wireTags = section({ models: list });
const wireTag = section({
  model: label,
  name: label,
  digest: label,
  details: section({ parameter_size: label, quantization_level: label, family: label }),
  ...remote,
});

/** `POST /api/show` */
const wireShow = section({
  capabilities: list,
  parameters: anything,
  model_info: anything,
  ...remote,
});

/** A row of `GET /api/tags`. */
export interface ListedModel {
  name: string;
  /** Changes if and only if the model changes. */
  digest: string;
  /** Such as `3.2B, Q4_K_M`; may be empty. */
  build: string;
  family: string | null;
}

export interface OllamaModel {
  name: string;
  use: 'chat' | 'embeddings';
  /** Further capabilities in Ollama's words: `vision`, `tools`, `thinking` … */
  capabilities: readonly string[];
  /** Such as `3.2B, Q4_K_M`; may be empty. */
  build: string;
  /** Tokens for input and output together, as Ollama really allocates them. */
  contextTokens: number;
}

/**
 * The smallest default context of Ollama. The real default depends on the graphics memory, which Ollama does not
 * report, and it truncates longer input without an error.
 */
const CONTEXT_TOKENS_DEFAULT = 4_096;
/** Families of embedding models, for old servers that do not report capabilities. */
const embeddingFamily = /bert$/i;

/**
 * The models that run on the machine. Models in Ollama's cloud are left out: no data may leave the machine unless the
 * operator configured it.
 * @param body of `GET /api/tags`
 * @returns undefined if it is not a list of models
 */
export function listedModels(body: unknown): ListedModel[] | undefined {
  return wireTags.parse(body)?.models?.flatMap((item) => {
    const row = wireTag.parse(item);
    const name = row?.model ?? row?.name ?? null;
    if (!row || name === null || isRemote(row)) return [];
    const { parameter_size: size, quantization_level: level, family = null } = row.details ?? {};
    return {
      name,
      digest: row.digest ?? '',
      build: [size, level].filter(Boolean).join(', '),
      family,
    };
  });
}

function isRemote(model: { remote_host: string | null; remote_model: string | null }): boolean {
  return model.remote_host !== null || model.remote_model !== null;
}

/**
 * @param body of `POST /api/show`
 * @param contextTokens the context length in the Ollama server's own settings, if known
 * @returns undefined for a model that supports neither chat nor embeddings
 */
export function shownModel(
  listed: ListedModel,
  body: unknown,
  contextTokens: number | undefined,
): OllamaModel | undefined {
  const show = wireShow.parse(body);
  if (show && isRemote(show)) return undefined;
  const capabilities = show?.capabilities?.flatMap((item) => asLabel(item) ?? []) ?? [
    embeddingFamily.test(listed.family ?? '') ? 'embedding' : 'completion',
  ];
  const isChat = capabilities.includes('completion');
  if (!isChat && !capabilities.includes('embedding')) return undefined;
  const own = numCtx(show?.parameters) ?? contextTokens ?? CONTEXT_TOKENS_DEFAULT;
  return {
    name: listed.name,
    use: isChat ? 'chat' : 'embeddings',
    capabilities: capabilities.filter((name) => name !== 'completion' && name !== 'embedding'),
    build: listed.build,
    contextTokens: Math.min(own, trainedTokens(show?.model_info) ?? own),
  };
}

/** `num_ctx` of the Modelfile, a line such as `num_ctx  8192`. */
function numCtx(parameters: unknown): number | undefined {
  if (typeof parameters !== 'string') return undefined;
  const digits = /^num_ctx\s+([1-9]\d{0,8})\s*$/m.exec(parameters)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** `llama.context_length` or similar: the longest context that the model was trained for. */
function trainedTokens(info: unknown): number | undefined {
  const [, tokens] =
    Object.entries(asRecord(info) ?? {}).find(([name]) => /^[^.]+\.context_length$/.test(name)) ??
    [];
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0
    ? tokens
    : undefined;
}
