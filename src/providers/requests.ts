/** Requests to providers, in terms that no single provider defines. */
import type { PassedTexts } from '../lib/passed-texts.ts';
import type { Room } from '../lib/room.ts';
import type { Message, ReasoningMode, Tool, ToolChoice } from './conversation.ts';

export type ResponseFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | {
      type: 'json_schema';
      name: string;
      description?: string | undefined;
      schema: Readonly<Record<string, unknown>>;
      strict?: boolean | undefined;
    };

/** Providers have different efforts, so any word is passed on, e.g. `none`, `low`, `medium`, `high`. */
export type ReasoningEffort = string;

interface RequestBase {
  /** The model's name at the provider. */
  model: string;
  /** The caller's W3C trace context, passed on unchanged. */
  traceparent?: string | undefined;
  /**
   * True: a field that the provider does not support throws an `UnsupportedError` before anything is sent.
   * Otherwise the field is left out and named in `warnings`, as hints about reasoning and verbosity always are. Fields
   * without which the answer would be a different one (messages, tools, response format) always throw.
   */
  refuseUnsupported?: boolean | undefined;
  /** Reserves memory for images and files that are fetched. Absent: their total is not limited. */
  reserve?: (() => Room) | undefined;
}

/** Optional fields that are absent are not sent to the provider. */
export interface TextRequest extends RequestBase {
  /** Images that are stand-ins in the messages; `JsonClient` sends the real images. */
  passed?: PassedTexts | undefined;
  /** Oldest first, at least one; the provider checks whether their sequence is valid. */
  messages: readonly Message[];
  maxOutputTokens: number;
  /** Texts to continue, in place of messages. Only providers that offer it get this field. */
  completion?: { prompts: readonly string[]; suffix: string | undefined } | undefined;
  temperature?: number | undefined;
  topP?: number | undefined;
  seed?: number | undefined;
  /** Stop sequences: they end the answer and are not part of it. */
  stop?: readonly string[] | undefined;
  frequencyPenalty?: number | undefined;
  presencePenalty?: number | undefined;
  tools?: readonly Tool[] | undefined;
  toolChoice?: ToolChoice | undefined;
  /** False: at most one tool call in an answer. */
  parallelToolCalls?: boolean | undefined;
  responseFormat?: ResponseFormat | undefined;
  reasoningEffort?: ReasoningEffort | undefined;
  reasoningMode?: ReasoningMode | undefined;
  /**
   * Present if the caller gets the model's reasoning. `summary`: a provider that shows reasoning only on request is
   * asked for it, as briefly as this word says: `auto`, `concise` or `detailed`.
   */
  shownReasoning?: { summary?: string | undefined } | undefined;
  /** How long answers are: `low`, `medium` (the default) or `high`. */
  verbosity?: string | undefined;
  /** The number of answers, if more than one. Only providers that offer it get this field, and never for a stream. */
  n?: number | undefined;
  /** Asks for log probabilities, with this number of alternatives for each token. The same providers as for `n`. */
  logprobs?: { alternatives: number | undefined } | undefined;
  /**
   * Whether cache breakpoints are sent. A provider that bills cache writes at a higher price must only get them if
   * the caller pays that price.
   */
  cachePrompt?: boolean | undefined;
  /** An id of the end user for the provider's abuse control; not sent to providers that do not support it. */
  user?: string | undefined;
}

export interface ImageRequest extends RequestBase {
  prompt: string;
  /** Absent: random. */
  seed?: number | undefined;
  /** e.g. `1024x1024` or `auto`, in the provider's own words. */
  size?: string | undefined;
  /** e.g. `high` or `hd`, in the provider's own words. */
  quality?: string | undefined;
}

export interface SentFile {
  bytes: Uint8Array;
  /** Servers recognise the format by the extension. */
  name: string;
  /** e.g. `image/png` */
  contentType: string;
}

/** An image that a caller sent, or the https address of one. */
export type GivenImage = SentFile | { url: string };

export interface ImageEditRequest extends ImageRequest {
  /** At least one. */
  images: readonly GivenImage[];
  /** Marks by its transparent parts what to change in the first image. */
  mask?: GivenImage | undefined;
  /** How much of the images is kept, in the provider's own words. */
  fidelity?: string | undefined;
}

export interface TranscriptionRequest extends RequestBase {
  file: SentFile;
  /** e.g. `en` */
  language?: string | undefined;
  /** Words that help with names and style. */
  prompt?: string | undefined;
  temperature?: number | undefined;
  /** True: with the times of segments. */
  isTimed: boolean;
  /** Which times are wanted; absent: the times of segments. */
  granularities?: readonly string[] | undefined;
}

/** A text to be spoken. Voice, format and instructions are in the provider's own words. */
export interface SpeechRequest extends RequestBase {
  text: string;
  voice: string;
  format: SpeechFormat;
  speed?: number | undefined;
  instructions?: string | undefined;
}

/** The content types of the formats. */
export const speechTypes = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
} as const;
export type SpeechFormat = keyof typeof speechTypes;

export interface EmbeddingRequest extends RequestBase {
  /** At least one. */
  input: readonly string[];
  /** The same texts as token numbers of cl100k_base, for providers that accept those. */
  tokens?: readonly (readonly number[])[] | undefined;
  /** Length of the vectors, for models that support several. */
  dimensions?: number | undefined;
  user?: string | undefined;
}

/** A field that a provider may not support; each interface of the gateway has its own name for it. */
export type RequestField = Exclude<
  keyof TextRequest | keyof ImageEditRequest | keyof EmbeddingRequest,
  | 'traceparent'
  | 'passed'
  | 'refuseUnsupported'
  | 'cachePrompt'
  | 'shownReasoning'
  | 'tokens'
  | 'n'
  | 'logprobs'
  | 'completion'
>;
