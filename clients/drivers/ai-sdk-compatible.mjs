// client: ai with @ai-sdk/openai-compatible
// npm: ai@latest @ai-sdk/openai-compatible@latest
import { abilities } from './ai-sdk.mjs';
import { model, run } from './driver.mjs';
// recipe:begin js
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

const zastava = createOpenAICompatible({
  name: 'zastava',
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.ZASTAVA_KEY,
  includeUsage: true, // usage of streams
  supportsStructuredOutputs: true,
  supportsMultiPartToolContent: true, // images in results of tools
});
// recipe:end

await run(abilities(zastava(model), { zastava: { reasoningEffort: 'low' } }));
