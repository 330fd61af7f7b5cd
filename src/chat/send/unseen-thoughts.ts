import type { Catalogue, CatalogueModel } from '../../catalogue/index.ts';
import {
  thinksUnseen,
  type ReasoningEffort,
  type TextAnswer,
  type Usage,
} from '../../providers/index.ts';
import type { SendInput } from './send-input.ts';
import type { ShownAnswer } from './stream-progress.ts';

/**
 * Knows which models think unseen: they make tokens that their streams do not show, and that only the provider can
 * count, at the end. The stream of such a model is read to its end although its client left, since somebody has to pay
 * for these tokens.
 *
 * The name of a model, its price and the effort of a request say so, or the answers that this process has read. Until one has been
 * read to its end, a model is in doubt, and its stream is read to the end: then there is one.
 */
export class UnseenThoughts {
  readonly #catalogue: Pick<Catalogue, 'providerSetup'>;
  /** What answers have shown, by the version of the model. */
  readonly #learnt = new Map<number, boolean>();

  constructor(catalogue: Pick<Catalogue, 'providerSetup'>) {
    this.#catalogue = catalogue;
  }

  /** Whether a model may think unseen: true in doubt. */
  possible(model: CatalogueModel, reasoningEffort: ReasoningEffort | undefined): boolean {
    const learnt = this.#learnt.get(model.versionId);
    if (learnt === true || model.price?.reasoningTokens !== undefined) return true;
    const kind = this.#catalogue.providerSetup(model.provider)?.kind ?? '';
    return thinksUnseen(kind, { model: model.model, reasoningEffort }) ?? learnt ?? true;
  }

  /** Learns from a plain answer. It does not show thoughts, so it can only prove that there were none. */
  learnFromAnswer(
    { versionId }: CatalogueModel,
    input: SendInput,
    { usage, text }: Pick<TextAnswer, 'usage' | 'text'>,
  ): void {
    if (this.#learnt.has(versionId) || effortOf(input) !== undefined) return;
    if (usage.reasoningTokens || text === '') return;
    if ((usage.completionTokens ?? 0) <= Buffer.byteLength(text))
      this.#learnt.set(versionId, false);
  }

  /**
   * Learns from a stream that came to its end. A model that thought unseen once is in doubt for good: it may think at
   * some questions only. What a request asks for by its effort says nothing about other requests.
   */
  learnFromStream(
    { versionId }: CatalogueModel,
    input: SendInput,
    usage: Usage,
    shown: ShownAnswer,
  ): void {
    if (effortOf(input) !== undefined || shown.isEmpty) return;
    if (this.#learnt.get(versionId) === true) return;
    const { completionTokens, reasoningTokens } = usage;
    const isUnseen = reasoningTokens
      ? shown.thoughts === ''
      : (completionTokens ?? 0) > shown.tokensMax;
    this.#learnt.set(versionId, isUnseen || shown.leavesThoughtsOut);
  }
}

/** The effort that a request names; only the compatible interfaces can. */
export function effortOf(input: SendInput): ReasoningEffort | undefined {
  return input.kind === 'conversation' ? input.conversation.options.reasoningEffort : undefined;
}
