import { z } from 'zod';
import { joinedText } from '../shared/answer-reader.ts';
import { malformedAnswer } from '../shared/failures.ts';
import { asRecord, list, readWire } from '../shared/wire.ts';
import { ProviderError, type TextAnswer, type TextChoice, type TextRequest } from '../spec.ts';

const wireChoices = z.looseObject({ choices: list });

/**
 * The answers of a completion with several, or with log probabilities.
 * @param readOne reads a body with one answer
 * @throws ProviderError as `readOne` does; `content_refused` only if every answer was refused
 */
export function readChoices(
  body: unknown,
  { n = 1 }: Pick<TextRequest, 'n'>,
  readOne: (body: unknown) => TextAnswer,
): TextAnswer {
  const answer = readWire(wireChoices, body);
  let first: TextAnswer | undefined;
  let refused: ProviderError | undefined;
  const given = answer.choices?.slice(0, n) ?? [];
  const choices = given.map((choice): TextChoice => {
    const logprobs = asRecord(choice)?.['logprobs'] ?? null;
    try {
      const read = readOne({ ...answer, choices: [choice] });
      first ??= read;
      const { text, toolCalls, reasoning, finishReason } = read;
      return { text, toolCalls, reasoning, finishReason, logprobs };
    } catch (error) {
      if (!(error instanceof ProviderError) || error.fault !== 'content_refused') throw error;
      refused ??= error;
      return { text: '', toolCalls: [], finishReason: 'content_filter', logprobs };
    }
  });
  if (!first) throw refused ?? malformedAnswer('it has no choices');
  const warnings = [...first.warnings];
  if (choices.length < n) {
    warnings.push(`The provider gave ${choices.length} of ${n} answers.`);
  }
  const toolCalls = choices.flatMap((choice) => choice.toolCalls);
  return { ...first, text: joinedText(choices), toolCalls, choices, warnings };
}
