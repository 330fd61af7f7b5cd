// client: ai with @ai-sdk/anthropic
// npm: ai@latest @ai-sdk/anthropic@latest
import { abilities } from './ai-sdk.mjs';
import { model, run } from './driver.mjs';
// recipe:begin js
import { createAnthropic } from '@ai-sdk/anthropic';

const zastava = createAnthropic({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.ZASTAVA_KEY,
});
// recipe:end

await run(
  abilities(zastava(model), { anthropic: { thinking: { type: 'enabled', budgetTokens: 2000 } } }),
);
