// client: @langchain/openai
// npm: @langchain/openai@latest @langchain/core@latest
import { model, run } from './driver.mjs';
import { abilities } from './langchain.mjs';
// recipe:begin js
import { ChatOpenAI } from '@langchain/openai';

const zastava = {
  configuration: { baseURL: 'http://127.0.0.1:8080/v1' },
  apiKey: process.env.ZASTAVA_KEY,
  maxRetries: 2, // its default is 6
};
const chat = (model) => new ChatOpenAI({ model, ...zastava });
// recipe:end

const reasoner = new ChatOpenAI({ model, ...zastava, reasoning: { effort: 'low' } });
await run(abilities(chat(model), reasoner));
