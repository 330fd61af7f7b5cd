/** Which failures mean that the request is wrong, by the codes and sentences of each provider. */
import { describe, expect, test } from 'bun:test';
import { explainError } from '../../src/providers/openai/errors.ts';
import { statusFailure } from '../../src/providers/shared/failures.ts';
import { refusalOf } from '../../src/providers/shared/refusal.ts';
import { reportedFailure } from '../../src/providers/shared/reported-failure.ts';

const KEY = 'sk-secret-0123456789';
const refusal = (status: number, raw: Parameters<typeof reportedFailure>[0]) =>
  refusalOf(status, reportedFailure(raw, KEY));

describe('an input that is too long', () => {
  test.each<[provider: string, message: string, counts: object]>([
    [
      'OpenAI',
      "This model's maximum context length is 128,000 tokens. However, your messages resulted in 130001 tokens. Please reduce the length of the messages.",
      { tokens: 130_001, max: 128_000 },
    ],
    [
      'OpenAI, Responses',
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
      {},
    ],
    [
      'Anthropic',
      'prompt is too long: 213462 tokens > 200000 maximum',
      { tokens: 213_462, max: 200_000 },
    ],
    [
      'Anthropic, with the cap',
      'input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000, decrease input length or `max_tokens` and try again',
      {},
    ],
    [
      'Gemini',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      { tokens: 1_200_000, max: 1_048_576 },
    ],
    [
      'vLLM',
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4900 in the messages, 100 in the completion).",
      { tokens: 5_000, max: 4_096 },
    ],
    [
      'vLLM, older',
      'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
      { tokens: 5_000, max: 4_096 },
    ],
    ['llama.cpp', 'the request exceeds the available context size, try increasing it', {}],
    [
      'Mistral',
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      { tokens: 40_000, max: 32_768 },
    ],
    [
      'xAI',
      "This model's maximum prompt length is 131072 but the request contains 150000 tokens.",
      { tokens: 150_000, max: 131_072 },
    ],
    [
      'OpenRouter',
      "This endpoint's maximum context length is 65536 tokens. However, you requested about 70000 tokens",
      { tokens: 70_000, max: 65_536 },
    ],
    ['Moonshot', 'Invalid request: Your request exceeded model token limit: 131072', {}],
    ['Together', 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193.', {}],
    [
      'Yandex',
      'number of input tokens must be no more than 8192, got 9000',
      { tokens: 9_000, max: 8_192 },
    ],
    ['Ollama', 'the input length exceeds the context length', {}],
    [
      'LM Studio',
      'Trying to keep the first 4733 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      { tokens: 4_733, max: 4_096 },
    ],
  ])('is recognised by the words of %s', (_, message, counts) => {
    expect(refusal(400, { message })).toEqual({ message, tooLong: counts });
  });

  test.each(['context_length_exceeded', 'exceed_context_size_error'])(
    'is recognised by %s, also inside an answer',
    (code) => {
      for (const raw of [{ code }, { type: code }]) {
        expect(refusal(400, raw)?.tooLong).toEqual({});
        expect(refusal(500, raw)?.tooLong).toEqual({});
      }
    },
  );

  test('is not mistaken for a limit of tokens per minute', () => {
    const message =
      'Request too large for gpt-5 on tokens per min (TPM): Limit 30000, Requested 40000.';
    expect(refusal(429, { code: 'rate_limit_exceeded', type: 'tokens', message })).toBeUndefined();
  });
});

describe('another refusal of the request', () => {
  test.each([400, 413, 422])('by %i has its sentence', (status) => {
    const message = 'Invalid image: the data is no PNG.';
    expect(refusal(status, { message })).toEqual({ message });
  });

  test('is shown without keys, ids and addresses in the operator’s network', () => {
    const message = `Unsupported 'a' (${KEY}, org-AbCdEf123456, http://vllm:8000/v1, http://127.0.0.1:9/x, ops@example.com, 10.1.2.3) of https://example.com/a.png`;
    expect(refusal(400, { message })).toEqual({
      message:
        "Unsupported 'a' ([key], [id], [address], [address], [address], [address]) of https://example.com/a.png",
    });
  });

  test('is short', () => {
    expect(refusal(400, { message: 'x'.repeat(10_000) })?.message).toHaveLength(300);
  });

  test('that gives no reason has none', () => {
    expect(refusalOf(400, undefined)).toEqual({ message: '' });
  });

  test.each([
    ['money', { message: 'Your credit balance is too low to access the Anthropic API.' }],
    ['the account', { message: 'You must be a member of an organization to use the API' }],
    ['the place', { message: 'User location is not supported for the API use.' }],
  ])('is the operator’s matter if it is about %s', (_, raw) => {
    expect(refusal(400, raw)).toBeUndefined();
  });

  test.each([401, 403, 404, 409, 429, 500, 502])('is not recognised by %i', (status) => {
    expect(refusal(status, { message: 'Invalid image.' })).toBeUndefined();
  });
});

describe('a model that the provider does not have', () => {
  test.each<[provider: string, status: number, raw: Parameters<typeof reportedFailure>[0]]>([
    ['OpenAI', 404, { code: 'model_not_found', message: 'The model `gpt-9` does not exist' }],
    [
      'OpenAI, of a project',
      403,
      { code: 'model_not_found', message: 'Project `p` does not have access to model `gpt-9`' },
    ],
    ['Groq, decommissioned', 400, { code: 'model_decommissioned', message: 'Gone.' }],
    ['DeepSeek', 400, { type: 'invalid_request_error', message: 'Model Not Exist' }],
    ['OpenRouter', 400, { code: 400, message: 'a/b is not a valid model ID' }],
    ['Mistral', 400, { type: 'invalid_model', message: 'Invalid model: a' }],
    ['Anthropic', 404, { type: 'not_found_error', message: 'model: claude-9' }],
    ['Ollama', 404, { message: 'model "a" not found, try pulling it first' }],
    ['a server with another path', 404, {}],
  ])('is recognised by the words of %s', (_, status, raw) => {
    const reported = reportedFailure(raw, KEY);
    expect(statusFailure(status, { accepted: false, reported })).toMatchObject({
      fault: 'not_found',
      refusal: undefined,
    });
  });

  test("is recognised by Azure's answer", async () => {
    const body: unknown = await Bun.file(
      `${import.meta.dir}/../fixtures/providers/openai/error-no-deployment-azure.json`,
    ).json();
    const reported = reportedFailure(explainError(body).reported, KEY);
    const error = statusFailure(404, { accepted: false, reported });
    expect(error).toMatchObject({ fault: 'not_found', status: 404 });
    expect(error.reported?.code).toBe('DeploymentNotFound');
  });

  test('is not mistaken for a bad image', () => {
    const reported = reportedFailure({ message: 'Invalid image for this model.' }, KEY);
    expect(statusFailure(400, { accepted: false, reported }).fault).toBe('failed');
  });
});

describe('the sentence is found', () => {
  test.each<[string, object, string]>([
    ['in an object', { error: { message: 'Bad image' } }, 'Bad image'],
    ['in a text', { error: 'Bad image' }, 'Bad image'],
    [
      'in what a framework reports of fields',
      {
        detail: [
          { type: 'extra_forbidden', loc: ['body', 'user'], msg: 'Extra inputs are not permitted' },
        ],
      },
      'body.user: Extra inputs are not permitted',
    ],
    ['in a text of that framework', { detail: 'Bad image' }, 'Bad image'],
    [
      'in the answer of the provider behind an aggregator',
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: '{"error": {"message": "Bad image"}}', provider_name: 'Azure' },
        },
      },
      'Bad image',
    ],
    [
      'there, if it is plain',
      { error: { message: 'Provider returned error', metadata: { raw: 'Bad image' } } },
      'Bad image',
    ],
  ])('%s', (_, body, message) => {
    expect(explainError(body).reported.message).toBe(message);
  });
});
