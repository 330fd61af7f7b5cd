// client: @langchain/anthropic
// npm: @langchain/anthropic@latest @langchain/core@latest
import { model, run } from './driver.mjs';
import { abilities } from './langchain.mjs';
// recipe:begin js
import { ChatAnthropic } from '@langchain/anthropic';

const zastava = {
  anthropicApiUrl: 'http://127.0.0.1:8080',
  apiKey: process.env.ZASTAVA_KEY,
  maxTokens: 4000,
};
const chat = (model) => new ChatAnthropic({ model, ...zastava });
// recipe:end

const thinking = { type: 'enabled', budget_tokens: 2000 };
await run(abilities(chat(model), new ChatAnthropic({ model, ...zastava, thinking })));
