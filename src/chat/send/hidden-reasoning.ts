import type { Catalogue, CatalogueModel } from '../../catalogue/index.ts';
import {
  effectiveEffort,
  hidesReasoning,
  type ReasoningEffort,
  type TextAnswer,
  type Usage,
} from '../../providers/index.ts';
import { estimateTokens } from '../context/tokens.ts';
import type { SendInput } from './send-input.ts';
import { writtenIn, type ShownAnswer } from './stream-progress.ts';

/** After this many milliseconds without a word at the beginning of a stream, any model may have reasoned. */
const SILENCE_MAX_MS = 10_000;
/** Tokens that a provider adds around an answer, such as its last one. */
const TOKENS_AROUND = 64;
/** A token of natural text has more bytes than this in most vocabularies. */
const TOKEN_BYTES = 2;
/** Reasoning counts as shown in full if the provider counts at most this many tokens for each one that we count. */
const REASONING_FACTOR = 2;
/** Fewer tokens of reasoning prove nothing: a summary may be just as long. */
const REASONING_TOKENS_MIN = 256;

/** What a stream has shown so far. */
export interface StreamSoFar {
  /** True once it showed reasoning that is not known to be a summary. */
  showsReasoning: boolean;
  /** How long the stream showed nothing before its first word; it grows until that word arrives. */
  silentMs: number;
}

/**
 * Knows which models hide reasoning: they make tokens that their streams do not show, and that only the provider can
 * count, at the end. The stream of such a model is read to its end although its client left, since somebody has to pay
 * for these tokens.
 *
 * The name of a model, its price, the effort of a request or the answers that this process has read show it. Until one
 * answer has been read to its end, a model is in doubt, so the first stream is read to its end.
 */
export class HiddenReasoning {
  readonly #catalogue: Pick<Catalogue, 'providerSetup'>;
  /** Whether answers had tokens that they did not show, by the version of the model. Once true, it stays true. */
  readonly #hidden = new Map<number, boolean>();
  /**
   * Whether the reasoning that streams show is all that is charged, by the version of the model. Once false, it stays
   * false.
   */
  readonly #whole = new Map<number, boolean>();

  constructor(catalogue: Pick<Catalogue, 'providerSetup'>) {
    this.#catalogue = catalogue;
  }

  /**
   * Whether a model may hide reasoning: true in doubt.
   * @param stream undefined before there is one
   */
  possible(
    { versionId, provider, model, price }: CatalogueModel,
    reasoningEffort: ReasoningEffort | undefined,
    stream?: StreamSoFar,
  ): boolean {
    const hidden = this.#hidden.get(versionId);
    const kind = this.#catalogue.providerSetup(provider)?.kind ?? '';
    const byName = hidesReasoning(kind, { model });
    if (hidden === true || byName === true) return true;
    if (stream?.showsReasoning) return this.#whole.get(versionId) !== true;
    if (price?.reasoningTokens !== undefined) return true;
    if (hidesReasoning(kind, { model, reasoningEffort }) ?? hidden === undefined) return true;
    // The next answer may have reasoning even if this one has not.
    return byName === undefined && stream !== undefined && stream.silentMs > SILENCE_MAX_MS;
  }

  /** Learns from a plain answer. */
  learnFromAnswer(
    { versionId }: CatalogueModel,
    input: SendInput,
    { usage, text, toolCalls, showsReasoning }: TextAnswer,
  ): void {
    const hidden = this.#hidden.get(versionId);
    if (hidden === true || showsReasoning || effortOf(input) !== undefined) return;
    if (usage.reasoningTokens) this.#hidden.set(versionId, true);
    else if (hidden === undefined && text !== '') {
      this.#learn(versionId, usage, Buffer.byteLength(writtenIn(text, toolCalls)));
    }
  }

  /**
   * Learns from a stream that was read to its end. A model that hid reasoning once stays in doubt: it may reason only
   * about some questions. The effort that one request asks for says nothing about other requests.
   */
  async learnFromStream(
    { versionId }: CatalogueModel,
    { userId, input }: { userId: number; input: SendInput },
    usage: Usage,
    shown: ShownAnswer,
  ): Promise<void> {
    if (shown.isEmpty) return;
    const showsReasoning = shown.countableReasoning !== '' && !shown.leavesReasoningOut;
    const isWhole = showsReasoning
      ? await this.#learnWhole(versionId, userId, usage, shown)
      : undefined;
    if (effortOf(input) !== undefined || this.#hidden.get(versionId) === true) return;
    const isReported = !showsReasoning && Boolean(usage.reasoningTokens);
    if (shown.leavesReasoningOut || isReported || isWhole === false) {
      this.#hidden.set(versionId, true);
    } else if (isWhole) this.#hidden.set(versionId, false);
    else if (!showsReasoning) {
      this.#learn(versionId, usage, Buffer.byteLength(writtenIn(shown.text, shown.toolCalls)));
    }
  }

  /** Learns from an answer whose provider does not report reasoning tokens. */
  #learn(versionId: number, { completionTokens }: Usage, bytes: number): void {
    const tokens = completionTokens ?? 0;
    // A token is at least one byte.
    if (tokens > bytes + TOKENS_AROUND) this.#hidden.set(versionId, true);
    else if (tokens <= bytes / TOKEN_BYTES + TOKENS_AROUND) this.#hidden.set(versionId, false);
  }

  /** @returns whether the reasoning that the stream showed is all that was charged; undefined if that is not known */
  async #learnWhole(
    versionId: number,
    userId: number,
    { completionTokens, reasoningTokens }: Usage,
    { countableReasoning: reasoning, text, toolCalls }: ShownAnswer,
  ): Promise<boolean | undefined> {
    if (this.#whole.get(versionId) === false) return false;
    const written = reasoningTokens === null ? writtenIn(text, toolCalls) : '';
    const charged = reasoningTokens ?? completionTokens ?? 0;
    const shown = await estimateTokens([reasoning, written], userId);
    const isWhole = charged <= shown * REASONING_FACTOR + TOKENS_AROUND;
    if (isWhole && charged < REASONING_TOKENS_MIN) return undefined;
    this.#whole.set(versionId, isWhole);
    return isWhole;
  }
}

/** The effort that a request asks for; only the compatible interfaces can. */
export function effortOf(input: SendInput): ReasoningEffort | undefined {
  return input.kind === 'conversation' ? effectiveEffort(input.conversation.options) : undefined;
}
