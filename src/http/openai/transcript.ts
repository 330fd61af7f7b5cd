/** A transcript in OpenAI's formats. */
import type { SendResult } from '../../chat/index.ts';
import { toRubles } from '../../lib/money.ts';
import type { NamedEventWriter } from '../compatible/named-events.ts';
import { openAiError } from '../compatible/errors.ts';
import { toDomainError } from '../errors.ts';
import { eventLine, warningsView } from './chat-answer.ts';

/** What was billed: seconds, or the tokens that a provider reported instead. */
export function transcriptUsageView({ usage, costRequest, costResponse }: SendResult): object {
  const { promptTokens, completionTokens, totalTokens, audioSeconds, source } = usage;
  const tokens = { input_tokens: promptTokens, output_tokens: completionTokens };
  const isByToken = promptTokens + completionTokens > 0 && source === 'provider';
  return {
    ...(isByToken
      ? { type: 'tokens', ...tokens, total_tokens: totalTokens }
      : { type: 'duration' }),
    seconds: audioSeconds ?? 0,
    cost: toRubles(costRequest + costResponse),
    cost_currency: 'RUB',
    source,
  };
}

export function verboseView(result: SendResult): object {
  const { transcript, usage } = result;
  return {
    task: 'transcribe',
    language: transcript?.language ?? '',
    duration: transcript?.duration ?? usage.audioSeconds ?? 0,
    text: result.response,
    segments: transcript?.segments ?? [],
    ...(transcript?.words && { words: transcript.words }),
    usage: transcriptUsageView(result),
    ...warningsView(result),
  };
}

/** Without segments, the whole text is one subtitle. */
export function subtitlesOf(result: SendResult, format: 'srt' | 'vtt'): string {
  const { transcript, response: text, usage } = result;
  const whole = { start: 0, end: transcript?.duration ?? usage.audioSeconds ?? 0, text };
  const segments = transcript?.segments?.length ? transcript.segments : [whole];
  const point = format === 'srt' ? ',' : '.';
  const cues = segments.map(({ start, end, text: said }, index) => {
    const number = format === 'srt' ? `${index + 1}\n` : '';
    // An empty line would end a subtitle.
    const words = said.trim().replace(/\n\s*\n/g, '\n');
    return `${number}${timeOf(start, point)} --> ${timeOf(end, point)}\n${words}\n`;
  });
  return (format === 'vtt' ? ['WEBVTT\n', ...cues] : cues).join('\n');
}

function two(value: number): string {
  return String(Math.floor(value)).padStart(2, '0');
}

function timeOf(seconds: number, point: string): string {
  const ms = Math.max(0, Math.round(seconds * 1_000));
  const rest = String(ms % 1_000).padStart(3, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}${point}${rest}`;
}

/** Writes a streamed send. The text comes as a whole, once it is charged. */
export const transcriptWriter: NamedEventWriter = (event) => {
  if (event.type === 'error') return eventLine({ error: openAiError(toDomainError(event.error)) });
  if (event.type !== 'done') return '';
  const { response: text } = event.result;
  const delta = { type: 'transcript.text.delta', delta: text };
  const done = {
    type: 'transcript.text.done',
    text,
    usage: transcriptUsageView(event.result),
    ...warningsView(event.result),
  };
  return `${eventLine(delta)}${eventLine(done)}data: [DONE]\n\n`;
};
