import type { StopSignal } from '../../lib/stop-signal.ts';
import { ProviderError } from '../spec.ts';
import { readJson } from '../shared/body.ts';
import { incomprehensible } from '../shared/failures.ts';
import { JsonClient } from '../shared/json-client.ts';
import { asRecord } from '../shared/json.ts';
import { listedModels, shownModel, type ListedModel, type OllamaModel } from './convert.ts';

/** Bytes of a list or a description; licences and templates stand in the latter. */
const ANSWER_MAX_BYTES = 8 * 1024 * 1024;
/** Models that are taken from one Ollama. */
const MODELS_MAX = 500;
/** Descriptions that are asked for at once. */
const SHOWS_AT_ONCE = 8;

export interface OllamaPlace {
  /** Without a trailing slash. */
  address: string;
  /** What this Ollama sets aside for a model by its own settings, where it is known. */
  contextTokens: number | undefined;
}

/** Asks an Ollama what it has. A model that did not change is described once. */
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
      explain: (body) => ({
        reported: { message: asRecord(body)?.['error'] },
        contentRefused: false,
      }),
      errorInAnswer: () => undefined,
    });
  }

  /**
   * The models that run there, by name.
   * @throws ProviderError when no Ollama answers in time
   */
  async models(signal: StopSignal): Promise<OllamaModel[]> {
    const answer = await this.#client.get('/api/tags', {}, signal);
    const listed = listedModels(await readJson(answer, ANSWER_MAX_BYTES, signal));
    if (!listed) throw incomprehensible('it is no list of models');
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
    if (this.#known.has(key)) {
      into.set(key, this.#known.get(key));
      return;
    }
    try {
      const path = '/api/show';
      const asked = { model: row.name };
      const body = await this.#client.postForData(path, asked, {}, signal, ANSWER_MAX_BYTES);
      into.set(key, shownModel(row, body, this.#place.contextTokens));
    } catch (error) {
      // It was removed in between, or can't be read: the others are there all the same.
      if (!(error instanceof ProviderError) || error.status === undefined) throw error;
    }
  }
}

function keyOf({ name, digest }: ListedModel): string {
  return JSON.stringify([name, digest]);
}
