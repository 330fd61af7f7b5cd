// client: ai with @ai-sdk/openai
// npm: ai@latest @ai-sdk/openai@latest
import { abilities } from './ai-sdk.mjs';
import { model, run } from './driver.mjs';
// recipe:begin js
import { createOpenAI } from '@ai-sdk/openai';

const zastava = createOpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.ZASTAVA_KEY,
});
// recipe:end

await run(
  abilities(zastava(model), { openai: { reasoningEffort: 'low', reasoningSummary: 'auto' } }),
);
