// client: llamaindex (JavaScript)
// npm: llamaindex@latest @llamaindex/openai@latest zod@latest
import { dataUrl, model, run } from './driver.mjs';
// recipe:begin js
import { OpenAI } from '@llamaindex/openai';

const llm = (model) =>
  new OpenAI({
    model,
    baseURL: 'http://127.0.0.1:8080/v1',
    apiKey: process.env.ZASTAVA_KEY,
  });
// recipe:end

const user = (content) => [{ role: 'user', content }];
const picture = { type: 'image_url', image_url: { url: dataUrl } };

await run({
  chat: async (prompt) => (await llm(model).chat({ messages: user(prompt) })).message.content,
  async *stream(prompt) {
    const stream = await llm(model).chat({ messages: user(prompt), stream: true });
    for await (const chunk of stream) yield chunk.delta;
  },
  image: async (prompt) => {
    const messages = user([{ type: 'text', text: prompt }, picture]);
    return (await llm(model).chat({ messages })).message.content;
  },
});
