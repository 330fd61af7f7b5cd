// client: openai (JavaScript), chat completions
// npm: openai@{4,5,6,7}
import { dataUrl, model, run } from './driver.mjs';
// recipe:begin js
import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.ZASTAVA_KEY,
});
// recipe:end

const create = (body, options) => client.chat.completions.create({ model, ...body }, options);
const user = (content) => [{ role: 'user', content }];
const picture = { type: 'image_url', image_url: { url: dataUrl } };

async function withTool(prompt, tool, resultOf) {
  const { execute, ...definition } = tool;
  const messages = user(prompt);
  for (;;) {
    const answer = await create({ messages, tools: [{ type: 'function', function: definition }] });
    const { message } = answer.choices[0];
    if (!message.tool_calls?.length) return message.content;
    messages.push(message);
    for (const call of message.tool_calls) {
      const content = resultOf(execute(JSON.parse(call.function.arguments)));
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
}

await run({
  chat: async (prompt) => (await create({ messages: user(prompt) })).choices[0].message.content,
  async *stream(prompt, signal) {
    const body = { messages: user(prompt), stream: true, stream_options: { include_usage: true } };
    for await (const chunk of await create(body, { signal })) yield chunk.choices[0]?.delta.content;
  },
  tools: (prompt, tool) => withTool(prompt, tool, (text) => text),
  toolImage: (prompt, tool) => withTool(prompt, tool, () => [picture]),
  image: async (prompt) => {
    const answer = await create({ messages: user([{ type: 'text', text: prompt }, picture]) });
    return answer.choices[0].message.content;
  },
  structured: async (prompt, schema) => {
    const answer = await create({
      messages: user(prompt),
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'person', strict: true, schema },
      },
    });
    return JSON.parse(answer.choices[0].message.content);
  },
  reasoning: async (prompt) => {
    const answer = await create({ messages: user(prompt), reasoning_effort: 'low' });
    const { content, reasoning_content: reasoning } = answer.choices[0].message;
    return { text: content, reasoning };
  },
});
