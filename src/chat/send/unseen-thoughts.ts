import type { Catalogue, CatalogueModel } from '../../catalogue/index.ts';
import {
  thinkingEffort,
  thinksUnseen,
  type ReasoningEffort,
  type TextAnswer,
  type Usage,
} from '../../providers/index.ts';
import { estimateTokens } from '../context/tokens.ts';
import type { SendInput } from './send-input.ts';
import { writtenIn, type ShownAnswer } from './stream-progress.ts';

/** After this many milliseconds without a word at the beginning of a stream, any model may have thought. */
const SILENCE_MAX_MS = 10_000;
/** Tokens that a provider adds around an answer, such as its last one. */
const TOKENS_AROUND = 64;
/** A token of natural text has more bytes than this in most vocabularies. */
const TOKEN_BYTES = 2;
/** Thoughts count as shown in full if the provider counts at most this many tokens for each one that we count. */
const THOUGHTS_FACTOR = 2;
/** Fewer tokens of thought prove nothing: a summary may be just as long. */
const THOUGHTS_MIN = 256;

/** What a stream has shown so far. */
export interface StreamSoFar {
  /** True once it showed thoughts that are not known to be a summary. */
  showsThoughts: boolean;
  /** How long the stream showed nothing before its first word; it grows until that word arrives. */
  silentMs: number;
}

/**
 * Knows which models think unseen: they make tokens that their streams do not show, and that only the provider can
 * count, at the end. The stream of such a model is read to its end although its client left, since somebody has to pay
 * for these tokens.
 *
 * The name of a model, its price, the effort of a request or the answers that this process has read show it. Until one
 * answer has been read to its end, a model is in doubt, so the first stream is read to its end.
 */
export class UnseenThoughts {
  readonly #catalogue: Pick<Catalogue, 'providerSetup'>;
  /** Whether answers had tokens that they did not show, by the version of the model. Once true, it stays true. */
  readonly #unseen = new Map<number, boolean>();
  /**
   * Whether the thoughts that streams show are all that is charged, by the version of the model. Once false, it stays
   * false.
   */
  readonly #whole = new Map<number, boolean>();

  constructor(catalogue: Pick<Catalogue, 'providerSetup'>) {
    this.#catalogue = catalogue;
  }

  /**
   * Whether a model may think unseen: true in doubt.
   * @param stream undefined before there is one
   */
  possible(
    { versionId, provider, model, price }: CatalogueModel,
    reasoningEffort: ReasoningEffort | undefined,
    stream?: StreamSoFar,
  ): boolean {
    const unseen = this.#unseen.get(versionId);
    const kind = this.#catalogue.providerSetup(provider)?.kind ?? '';
    const byName = thinksUnseen(kind, { model });
    if (unseen === true || byName === true) return true;
    if (stream?.showsThoughts) return this.#whole.get(versionId) !== true;
    if (price?.reasoningTokens !== undefined) return true;
    if (thinksUnseen(kind, { model, reasoningEffort }) ?? unseen === undefined) return true;
    // The next answer may have thoughts even if this one has not.
    return byName === undefined && stream !== undefined && stream.silentMs > SILENCE_MAX_MS;
  }

  /** Learns from a plain answer. */
  learnFromAnswer(
    { versionId }: CatalogueModel,
    input: SendInput,
    { usage, text, toolCalls, showsThoughts }: TextAnswer,
  ): void {
    const unseen = this.#unseen.get(versionId);
    if (unseen === true || showsThoughts || effortOf(input) !== undefined) return;
    if (usage.reasoningTokens) this.#unseen.set(versionId, true);
    else if (unseen === undefined && text !== '') {
      this.#learn(versionId, usage, Buffer.byteLength(writtenIn(text, toolCalls)));
    }
  }

  /**
   * Learns from a stream that was read to its end. A model that thought unseen once stays in doubt: it may think only
   * about some questions. The effort that one request asks for says nothing about other requests.
   */
  async learnFromStream(
    { versionId }: CatalogueModel,
    { userId, input }: { userId: number; input: SendInput },
    usage: Usage,
    shown: ShownAnswer,
  ): Promise<void> {
    if (shown.isEmpty) return;
    const showsThoughts = shown.countableThoughts !== '' && !shown.leavesThoughtsOut;
    const isWhole = showsThoughts
      ? await this.#learnWhole(versionId, userId, usage, shown)
      : undefined;
    if (effortOf(input) !== undefined || this.#unseen.get(versionId) === true) return;
    const isReported = !showsThoughts && Boolean(usage.reasoningTokens);
    if (shown.leavesThoughtsOut || isReported || isWhole === false) {
      this.#unseen.set(versionId, true);
    } else if (isWhole) this.#unseen.set(versionId, false);
    else if (!showsThoughts) {
      this.#learn(versionId, usage, Buffer.byteLength(writtenIn(shown.text, shown.toolCalls)));
    }
  }

  /** Learns from an answer whose provider does not say what was thought. */
  #learn(versionId: number, { completionTokens }: Usage, bytes: number): void {
    const tokens = completionTokens ?? 0;
    // A token is at least one byte.
    if (tokens > bytes + TOKENS_AROUND) this.#unseen.set(versionId, true);
    else if (tokens <= bytes / TOKEN_BYTES + TOKENS_AROUND) this.#unseen.set(versionId, false);
  }

  /** @returns whether the thoughts that the stream showed are all that was charged; undefined if that is not known */
  async #learnWhole(
    versionId: number,
    userId: number,
    { completionTokens, reasoningTokens }: Usage,
    { countableThoughts: thoughts, text, toolCalls }: ShownAnswer,
  ): Promise<boolean | undefined> {
    if (this.#whole.get(versionId) === false) return false;
    const written = reasoningTokens === null ? writtenIn(text, toolCalls) : '';
    const charged = reasoningTokens ?? completionTokens ?? 0;
    const shown = await estimateTokens([thoughts, written], userId);
    const isWhole = charged <= shown * THOUGHTS_FACTOR + TOKENS_AROUND;
    if (isWhole && charged < THOUGHTS_MIN) return undefined;
    this.#whole.set(versionId, isWhole);
    return isWhole;
  }
}

/** The effort that a request asks for; only the compatible interfaces can. */
export function effortOf(input: SendInput): ReasoningEffort | undefined {
  return input.kind === 'conversation' ? thinkingEffort(input.conversation.options) : undefined;
}
