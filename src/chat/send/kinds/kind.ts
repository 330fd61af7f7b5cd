import type { Catalogue, CatalogueModel } from '../../../catalogue/index.ts';
import type { Sql } from '../../../db/index.ts';
import type {
  ImageAnswer,
  Offer,
  ProviderWork,
  TextAnswer,
  TextRequest,
  TranscriptAnswer,
} from '../../../providers/index.ts';
import type { Micro } from '../../../lib/money.ts';
import type { Room } from '../../../lib/room.ts';
import type { RequestSpans } from '../../../lib/spans.ts';
import type { PassedTexts } from '../../../lib/passed-texts.ts';
import type { Measured } from '../../../ledger/index.ts';
import type { FittedContext } from '../../context/context.ts';

export interface SendBase {
  roomId: string;
  ai: number;
  /** The caller's W3C trace context, passed on to the provider. */
  traceparent: string | undefined;
  /** Images that only stand in for others in a conversation. */
  passed?: PassedTexts | undefined;
  trace: SendTrace;
  /** True: the send continues when its clients leave, and can be stopped. */
  isDetached?: true | undefined;
}

/** The request behind a send: its id, its API key, and facts for the log that the send writes here while it runs. */
export interface SendTrace {
  readonly requestId: string;
  /** Absent: it has no API key. */
  readonly keyId?: string | undefined;
  messageId?: number | undefined;
  /** The model that is charged; until then, the requested one. */
  modelId?: number | undefined;
  /** Absent while nothing is settled. */
  charged?: Micro | undefined;
  /** Milliseconds that the calls to providers took. */
  providerMs?: number | undefined;
  /** Present if the cap on output tokens was lowered: the requested cap, and the allowed one. */
  loweredCap?: { requested: number; allowed: number } | undefined;
  /** An error code, or `stopped`; absent while nothing is settled, and after a whole answer. */
  outcome?: string | undefined;
  /** Absent without a trace. */
  readonly spans?: RequestSpans | undefined;
  /** Reserves room for data that is fetched for the send, from the memory that its user may take. */
  readonly reserve?: (() => Room) | undefined;
}

/** What the message's row stores of a request. */
export interface StoredRequest {
  systemPrompt: string;
  request: string;
  /** Fields that are undefined are not stored. */
  parameters: Record<string, unknown>;
}

/** An image that came with its bytes. They are stored under the id, which the message's row names from the hold on. */
export interface GivenImage {
  id: string;
  bytes: Uint8Array;
  contentType: string;
}

/** The images of a message in a room: what its row names, and the bytes that are to be stored. */
export interface SentImages {
  /** Ids, and https URLs. */
  names: readonly string[];
  given: readonly GivenImage[];
}

export interface ContextParts {
  db: Sql;
  catalogue: Catalogue;
  images: { url(id: string): string };
}

export interface ModelTurn<Input> {
  /** The model that is called: the requested one, or a fallback. */
  model: CatalogueModel;
  input: Input;
  context: FittedContext;
  outputTokensMax: number;
}

export type ModelContent = TextAnswer | TranscriptAnswer | ImageAnswer | EmbeddedAnswer;

/** Embeddings with the fields that every answer has. */
export type EmbeddedAnswer = Omit<ImageAnswer, 'bytes' | 'contentType'> & { vectors: number[][] };

/** The decisions of one kind of send. There is one such object for each `kind` of a `SendInput`. */
export interface SendKind<Input> {
  stored(input: Input): StoredRequest;
  /** The most output tokens that a call can make. */
  outputTokensMax(input: Input, model: CatalogueModel): number;
  /** True if no cap is sent to the provider, so that a smaller one would save nothing. */
  isUncapped: boolean;
  /** Features of the input that only some providers offer. */
  needs?(input: Input): readonly Offer[];
  /** How many answers are requested, each with up to that many output tokens. Absent: one. */
  answers?(input: Input): number;
  /** The most of what is billed besides tokens that the request can have. */
  measured?(input: Input): Measured;
  /** True if the answer comes in one piece even if a stream was requested. */
  isWhole?(input: Input): boolean;
  /** True if the caller gave no cap, so that a smaller one may be held. */
  isReducible(input: Input): boolean;
  /**
   * What is sent along with the request, and the most input tokens of all that is sent.
   * @throws `input_too_long`
   */
  context(
    parts: ContextParts,
    userId: number,
    model: CatalogueModel,
    input: Input,
  ): FittedContext | Promise<FittedContext>;
  /** Texts to which the model's input limit applies: the texts of one list have to fit together. */
  limitedTexts(input: Input, context: FittedContext): string[][];
  /** About how many tokens the provider was sent, for a provider that reports no usage. */
  estimatePrompt(input: Input, context: FittedContext, userId: number): Promise<number>;
  /** The call that the model's provider is to make. */
  work(turn: ModelTurn<Input>): ProviderWork<ModelContent>;
  /** The request for a text, which can be streamed. Absent for answers that come in one piece. */
  textRequest?(turn: ModelTurn<Input>): TextRequest;
}

/**
 * The estimates for providers that report no tokens. An image counts about as much as a megapixel does at most
 * providers (Anthropic: width times height divided by 750; OpenAI: 765 to 1,105 for a large image), a file as much as
 * two pages.
 */
export const partTokens = { image: 1_000, file: 4_000 } as const;

/** Options that only the OpenAI- and Anthropic-compatible interfaces have. */
export type TextOptions = Pick<
  TextRequest,
  | 'topP'
  | 'stop'
  | 'frequencyPenalty'
  | 'presencePenalty'
  | 'tools'
  | 'toolChoice'
  | 'parallelToolCalls'
  | 'responseFormat'
  | 'reasoningEffort'
  | 'reasoningMode'
  | 'shownReasoning'
  | 'verbosity'
  | 'user'
  | 'n'
  | 'logprobs'
>;
