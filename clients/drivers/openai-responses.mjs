// client: openai (JavaScript), responses
// npm: openai@{5,6,7}
import OpenAI from 'openai';
import { dataUrl, model, run } from './driver.mjs';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.ZASTAVA_KEY,
});

const create = (body, options) => client.responses.create({ model, ...body }, options);
const picture = { type: 'input_image', image_url: dataUrl, detail: 'auto' };

async function withTool(prompt, tool, resultOf) {
  const { execute, ...definition } = tool;
  let input = [{ role: 'user', content: prompt }];
  for (;;) {
    const answer = await create({
      input,
      tools: [{ type: 'function', strict: true, ...definition }],
    });
    const calls = answer.output.filter(({ type }) => type === 'function_call');
    if (calls.length === 0) return answer.output_text;
    const results = calls.map((call) => ({
      type: 'function_call_output',
      call_id: call.call_id,
      output: resultOf(execute(JSON.parse(call.arguments))),
    }));
    input = [...input, ...answer.output, ...results];
  }
}

await run({
  chat: async (input) => (await create({ input })).output_text,
  async *stream(input, signal) {
    for await (const event of await create({ input, stream: true }, { signal })) {
      if (event.type === 'response.output_text.delta') yield event.delta;
      if (event.type === 'response.failed') throw new Error(event.response.error.message);
    }
  },
  tools: (prompt, tool) => withTool(prompt, tool, (text) => text),
  toolImage: (prompt, tool) => withTool(prompt, tool, () => [picture]),
  image: async (prompt) => {
    const content = [{ type: 'input_text', text: prompt }, picture];
    return (await create({ input: [{ role: 'user', content }] })).output_text;
  },
  structured: async (input, schema) => {
    const text = { format: { type: 'json_schema', name: 'person', strict: true, schema } };
    return JSON.parse((await create({ input, text })).output_text);
  },
  reasoning: async (input) => {
    const answer = await create({ input, reasoning: { effort: 'low', summary: 'auto' } });
    const item = answer.output.find(({ type }) => type === 'reasoning');
    return { text: answer.output_text, reasoning: JSON.stringify(item ?? '') };
  },
});
