import type { StopSignal } from '../../lib/stop-signal.ts';
import { ProviderError } from '../spec.ts';
import { readJson } from '../shared/body.ts';
import { malformedAnswer } from '../shared/failures.ts';
import { JsonClient } from '../shared/http.ts';
import { asRecord } from '../shared/wire.ts';
import { listedModels, shownModel, type ListedModel, type OllamaModel } from './convert.ts';

/** The most bytes of a list or a description; descriptions include licences and templates. */
const ANSWER_MAX_BYTES = 8 * 1024 * 1024;
/** The most models that are used from one Ollama server. */
const MODELS_MAX = 500;
/** Concurrent requests for descriptions. */
const SHOWS_AT_ONCE = 8;

export interface OllamaPlace {
  /** Without a trailing slash. */
  address: string;
  /** The context length in the Ollama server's own settings, if known. */
  contextTokens: number | undefined;
}

/** Lists the models of an Ollama server. The description of an unchanged model is requested once. */
export class OllamaLook {
  readonly #place: OllamaPlace;
  readonly #client: JsonClient;
  #known = new Map<string, OllamaModel | undefined>();

  constructor(place: OllamaPlace) {
    this.#place = place;
    this.#client = new JsonClient({
      baseUrl: place.address,
      headers: {},
      secret: undefined,
      // `{"error": "…"}`
      explain: (body) => ({
        reported: { message: asRecord(body)?.['error'] },
        contentRefused: false,
      }),
    });
  }

  /** The models that run there, by name. @throws ProviderError if no Ollama answers in time */
  async models(signal: StopSignal): Promise<OllamaModel[]> {
    const answer = await this.#client.get('/api/tags', {}, signal);
    const listed = listedModels(await readJson(answer, ANSWER_MAX_BYTES, signal));
    if (!listed) throw malformedAnswer('it is not a list of models');
    const rows = listed
      .toSorted((first, second) => (first.name < second.name ? -1 : 1))
      .slice(0, MODELS_MAX);
    const known = new Map<string, OllamaModel | undefined>();
    for (let at = 0; at < rows.length; at += SHOWS_AT_ONCE) {
      const batch = rows.slice(at, at + SHOWS_AT_ONCE);
      await Promise.all(batch.map((row) => this.#describe(row, known, signal)));
    }
    this.#known = known;
    return rows.flatMap((row) => known.get(keyOf(row)) ?? []);
  }

  async #describe(
    row: ListedModel,
    into: Map<string, OllamaModel | undefined>,
    signal: StopSignal,
  ): Promise<void> {
    const key = keyOf(row);
    if (this.#known.has(key)) return void into.set(key, this.#known.get(key));
    try {
      const request = { model: row.name };
      const max = ANSWER_MAX_BYTES;
      const body = await this.#client.postForData('/api/show', request, {}, signal, max);
      into.set(key, shownModel(row, body, this.#place.contextTokens));
    } catch (error) {
      // It was removed in between, or cannot be read; the other models are not affected.
      if (!(error instanceof ProviderError) || error.status === undefined) throw error;
    }
  }
}

function keyOf({ name, digest }: ListedModel): string {
  return JSON.stringify([name, digest]);
}
