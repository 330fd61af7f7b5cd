// client: @openai/agents
// npm: @openai/agents@latest zod@latest
import { dataUrl, model, run } from './driver.mjs';
// recipe:begin js
import { Agent, OpenAIProvider, Runner } from '@openai/agents';

const modelProvider = new OpenAIProvider({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.ZASTAVA_KEY,
});
const runner = new Runner({ modelProvider, tracingDisabled: true });
// recipe:end
import { tool } from '@openai/agents';
import { z } from 'zod';

const agent = (more = {}) => new Agent({ name: 'helper', instructions: 'Help.', model, ...more });
const ask = async (prompt, more) => (await runner.run(agent(more), prompt)).finalOutput;

function withTool(prompt, { name, description, parameters, execute }, resultOf) {
  const own = tool({
    name,
    description,
    parameters,
    strict: true,
    execute: (input) => resultOf(execute(input)),
  });
  return ask(prompt, { tools: [own] });
}

await run({
  chat: (prompt) => ask(prompt),
  async *stream(prompt, signal) {
    const result = await runner.run(agent(), prompt, { stream: true, signal });
    for await (const piece of result.toTextStream()) yield piece;
    await result.completed;
    if (result.error) throw result.error;
  },
  tools: (prompt, definition) => withTool(prompt, definition, (text) => text),
  toolImage: (prompt, definition) =>
    withTool(prompt, definition, () => ({ type: 'image', image: dataUrl })),
  image: (prompt) => {
    const content = [
      { type: 'input_text', text: prompt },
      { type: 'input_image', image: dataUrl },
    ];
    return ask([{ role: 'user', content }]);
  },
  structured: (prompt) =>
    ask(prompt, { outputType: z.object({ name: z.string(), age: z.number().int() }) }),
  reasoning: (prompt) =>
    ask(prompt, { modelSettings: { reasoning: { effort: 'low', summary: 'auto' } } }),
});
