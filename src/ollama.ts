import { formatChange, OLLAMA, type Catalogue, type FoundModel } from './catalogue/index.ts';
import type { OllamaSettings } from './config/index.ts';
import { messageOf, UnavailableError } from './lib/errors.ts';
import type { Log } from './lib/log.ts';
import { endsWithin } from './lib/within.ts';
import { OllamaLook, type OllamaModel } from './providers/index.ts';

const LOOK_EVERY_MS = 30_000;
const LOOK_MAX_MS = 10_000;
/** How long a start waits for the first query, which then continues in the background. */
const FIRST_LOOK_WAIT_MS = 100;
/** Long, since a model may have to be loaded first. */
const CALL_TIMEOUT_SECONDS = 600;
/** The largest output of a model; the rest of its context is for the input. */
const OUTPUT_TOKENS_MAX = 16_384;

export interface OllamaParts {
  settings: OllamaSettings;
  catalogue: Catalogue;
  log: Log;
}

/**
 * Keeps the models of an Ollama in the catalogue, and queries them every 30 seconds. If there is no answer at the
 * start, there is no Ollama. Later, only an answer changes the catalogue: while Ollama is unreachable its models stay,
 * and calls to them fail like those to any unreachable provider.
 */
export class OllamaFinder {
  readonly #parts: OllamaParts;
  readonly #look: OllamaLook;
  readonly #stopped = new AbortController();
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();
  #answers: boolean | undefined;

  constructor(parts: OllamaParts) {
    this.#parts = parts;
    this.#look = new OllamaLook(parts.settings);
  }

  /** Queries Ollama for the first time, and then regularly until `stop`. Returns quickly. */
  async start(): Promise<void> {
    const first = this.look();
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    await endsWithin(first, FIRST_LOOK_WAIT_MS);
  }

  /** Queries once, after any running query. Never throws. */
  look(): Promise<void> {
    this.#running = this.#running.then(() => this.#lookNow());
    return this.#running;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped.abort();
    await this.#running;
  }

  async #lookNow(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    const { settings, log } = this.#parts;
    const models = await this.#readModels();
    if (this.#stopped.signal.aborted) return;
    const { address: ollama } = settings;
    const answered = this.#answers;
    this.#answers = models !== undefined;
    try {
      if (models || answered === undefined) await this.#adopt(models, answered !== true);
      else if (answered) {
        log.warn({ ollama }, 'Ollama does not answer: calls to its models fail until it does');
      }
    } catch (error) {
      // The watch of the database logs its outages.
      if (error instanceof UnavailableError) return;
      log.error({ err: error, ollama }, 'the models of Ollama could not be added to the catalogue');
    }
  }

  /** @returns undefined if nothing answers */
  async #readModels(): Promise<OllamaModel[] | undefined> {
    const { settings, log } = this.#parts;
    const inTime = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(LOOK_MAX_MS)]);
    try {
      return await this.#look.models(inTime);
    } catch (error) {
      log.debug({ ollama: settings.address, why: messageOf(error) }, 'no Ollama answers');
      return undefined;
    }
  }

  async #adopt(models: readonly OllamaModel[] | undefined, isNews: boolean): Promise<void> {
    const { settings, catalogue, log } = this.#parts;
    const { address: ollama, free } = settings;
    const found = models && {
      kind: 'openai',
      baseUrl: `${ollama}/v1`,
      timeoutSeconds: CALL_TIMEOUT_SECONDS,
      options: { server: 'ollama' },
      models: models.map(toFound),
      free,
    };
    const changes = await catalogue.adopt(OLLAMA, found);
    if (!changes) log.debug({ ollama }, 'the catalogue file has its own provider ollama');
    else if (models && isNews) log.info({ ollama, models: models.length }, foundMessage(free));
    else if (changes.length > 0) {
      log.info({ ollama, changes: changes.map(formatChange) }, 'models of Ollama changed');
    }
  }
}

function foundMessage(free: boolean): string {
  return free
    ? 'Ollama found: its models are free for everybody, as ZASTAVA_OLLAMA=free says'
    : 'Ollama found: its models are for admins only until they have a price (ZASTAVA_OLLAMA=free makes them free for everybody, off leaves them out)';
}

/** Input and output share the context. */
function toFound({ name, use, capabilities, build, contextTokens }: OllamaModel): FoundModel {
  const chat = use === 'chat';
  const output = chat ? Math.max(1, Math.min(OUTPUT_TOKENS_MAX, Math.floor(contextTokens / 2))) : 1;
  const facts = [build, capabilities.join(', ')];
  return {
    model: name,
    descriptionFull: ['Runs in Ollama', ...facts].filter((text) => text !== '').join('; '),
    modality: chat ? 'text' : 'embedding',
    maxInputTokens: chat ? Math.max(1, contextTokens - output) : contextTokens,
    maxOutputTokens: output,
    chatAllowed: chat,
    // Old versions do not report capabilities.
    ...(chat && capabilities.length > 0 && { imagesAllowed: capabilities.includes('vision') }),
  };
}
