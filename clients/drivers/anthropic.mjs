// client: @anthropic-ai/sdk
// npm: @anthropic-ai/sdk@latest
import { model, run } from './driver.mjs';
// recipe:begin js
import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({
  baseURL: 'http://127.0.0.1:8080',
  apiKey: process.env.ZASTAVA_KEY,
});
// recipe:end

const max_tokens = 4000;
const create = (body, options) => client.messages.create({ model, max_tokens, ...body }, options);
const user = (content) => [{ role: 'user', content }];
const picture = (data) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data },
});
const textOf = ({ content }) => content.map(({ text }) => text ?? '').join('');

async function withTool(prompt, { name, description, parameters, execute }, resultOf) {
  const messages = user(prompt);
  for (;;) {
    const answer = await create({
      messages,
      tools: [{ name, description, input_schema: parameters }],
    });
    const calls = answer.content.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) return textOf(answer);
    const results = calls.map(({ id, input }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: resultOf(execute(input)),
    }));
    messages.push(
      { role: 'assistant', content: answer.content },
      { role: 'user', content: results },
    );
  }
}

await run({
  chat: async (prompt) => textOf(await create({ messages: user(prompt) })),
  async *stream(prompt, signal) {
    const body = { model, max_tokens, messages: user(prompt) };
    const stream = client.messages.stream(body, { signal });
    for await (const event of stream)
      if (event.type === 'content_block_delta') yield event.delta.text;
  },
  tools: (prompt, tool) => withTool(prompt, tool, (text) => text),
  toolImage: (prompt, tool) => withTool(prompt, tool, (data) => [picture(data)]),
  image: async (prompt, data) =>
    textOf(await create({ messages: user([picture(data), { type: 'text', text: prompt }]) })),
  structured: async (prompt, schema) => {
    const output_config = { format: { type: 'json_schema', schema } };
    return JSON.parse(textOf(await create({ messages: user(prompt), output_config })));
  },
  reasoning: async (prompt) => {
    const thinking = { type: 'enabled', budget_tokens: 2000 };
    const answer = await create({ messages: user(prompt), thinking });
    const block = answer.content.find(({ type }) => type === 'thinking');
    return { text: textOf(answer), reasoning: block?.thinking ?? '' };
  },
});
