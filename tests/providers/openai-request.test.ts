import { describe, expect, test } from 'bun:test';
import { takesResponseFormat, tokenLimitFieldOf } from '../../src/providers/openai/dialect.ts';
import { imageBody } from '../../src/providers/openai/image-request.ts';
import { chatBody } from '../../src/providers/openai/request.ts';
import { textRequest } from './fixtures.ts';

describe('the body of a chat completion', () => {
  test('has the system prompt, the context as pairs, and the message, in this order', () => {
    const { body } = chatBody(
      {
        ...textRequest,
        systemPrompt: 'Be brief.',
        context: [
          { request: 'q1', response: 'a1' },
          { request: 'q2', response: 'a2' },
        ],
      },
      'max_tokens',
      false,
    );
    expect(body).toEqual({
      model: 'gpt-test',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'q1' },
        { role: 'assistant', content: 'a1' },
        { role: 'user', content: 'q2' },
        { role: 'assistant', content: 'a2' },
        { role: 'user', content: 'Hello there' },
      ],
      max_tokens: 100,
    });
  });

  test('leaves out what was not given', () => {
    const { body, warnings } = chatBody(textRequest, 'max_tokens', false);
    expect(Object.keys(body)).toEqual(['model', 'messages', 'max_tokens']);
    expect(body.messages).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  test('sends a temperature of zero', () => {
    expect(chatBody({ ...textRequest, temperature: 0 }, 'max_tokens', false).body.temperature).toBe(
      0,
    );
  });

  test('asks a stream for its usage', () => {
    const { body } = chatBody(textRequest, 'max_completion_tokens', true);
    expect(body).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 100,
    });
    expect(body.max_tokens).toBeUndefined();
  });

  test('passes a whole seed and warns of any other', () => {
    const whole = chatBody({ ...textRequest, seed: 7 }, 'max_tokens', false);
    expect(whole.body.seed).toBe(7);
    expect(whole.seed).toBe(7);
    const broken = chatBody({ ...textRequest, seed: 0.5 }, 'max_tokens', false);
    expect(broken.body.seed).toBeUndefined();
    expect(broken.seed).toBeNull();
    expect(broken.warnings[0]).toContain('seed 0.5 is not supported');
  });
});

test('only OpenAI itself gets the new name of the token limit', () => {
  expect(tokenLimitFieldOf('https://api.openai.com/v1')).toBe('max_completion_tokens');
  expect(tokenLimitFieldOf('http://localhost:11434/v1')).toBe('max_tokens');
  expect(tokenLimitFieldOf('https://api.openai.com.example.org/v1')).toBe('max_tokens');
});

describe('the body of an image generation', () => {
  const request = { model: 'dall-e-3', prompt: 'a cat' };

  test('asks for base64, but not those models that refuse to be asked', () => {
    expect(imageBody(request).body).toEqual({
      model: 'dall-e-3',
      prompt: 'a cat',
      n: 1,
      response_format: 'b64_json',
    });
    expect(imageBody({ ...request, model: 'gpt-image-1' }).body.response_format).toBeUndefined();
    expect(takesResponseFormat('openai/GPT-Image-1-mini')).toBe(false);
  });

  test('warns that there is no seed', () => {
    expect(imageBody({ ...request, seed: 1 })).toMatchObject({
      seed: null,
      warnings: [expect.stringContaining('seed is not supported')],
    });
  });
});
