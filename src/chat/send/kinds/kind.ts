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
  /** Images that are stand-ins in a conversation. */
  passed?: PassedTexts | undefined;
  trace: SendTrace;
  /** True: it goes on when its clients leave, and can be stopped. */
  isDetached?: true | undefined;
}

/** The request that sends: its id, its API key, and for the log what the send writes down here while it runs. */
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
  /** Present if the cap on output tokens was lowered: the cap asked for, and the one allowed. */
  loweredCap?: { asked: number; allowed: number } | undefined;
  /** An error code, or `stopped`; absent while nothing is settled, and after a whole answer. */
  outcome?: string | undefined;
  /** Absent without a trace. */
  readonly spans?: RequestSpans | undefined;
  /** Makes room for what is fetched for the send, in the memory that its user may take. */
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

/** What one kind of send decides for itself. There is one of these for each `kind` of a `SendInput`. */
export interface SendKind<Input> {
  stored(input: Input): StoredRequest;
  /** The most output tokens that a call can bring. */
  outputTokensMax(input: Input, model: CatalogueModel): number;
  /** True if the provider is sent no cap, so that a smaller one would save nothing. */
  isUncapped: boolean;
  /** What the input asks for that only some providers offer. */
  needs?(input: Input): readonly Offer[];
  /** How many answers are asked for, each with that many output tokens. Absent: one. */
  answers?(input: Input): number;
  /** What the request has besides tokens, at most. */
  measured?(input: Input): Measured;
  /** True if the answer comes in one piece, although a stream was asked for. */
  isWhole?(input: Input): boolean;
  /** True if the caller named no cap, so that a smaller one may be held. */
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
  /** Texts that the model's input limit applies to: those of one list have to fit together. */
  limitedTexts(input: Input, context: FittedContext): string[][];
  /** About how many tokens the provider was sent, for a provider that reports no usage. */
  estimatePrompt(input: Input, context: FittedContext, userId: number): Promise<number>;
  /** What the model's provider is asked to do. */
  work(turn: ModelTurn<Input>): ProviderWork<ModelContent>;
  /** The request for a text, which can be streamed. Absent for answers that come in one piece. */
  textRequest?(turn: ModelTurn<Input>): TextRequest;
}

/**
 * The estimates where no provider reports the tokens. An image has about those of a megapixel at most providers
 * (Anthropic: width times height divided by 750; OpenAI: 765 to 1,105 for a large image), a file those of two pages.
 */
export const partTokens = { image: 1_000, file: 4_000 } as const;

/** What only the OpenAI- and Anthropic-compatible interfaces can ask for. */
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
  | 'thinking'
  | 'shownThoughts'
  | 'verbosity'
  | 'user'
  | 'n'
  | 'logprobs'
>;
