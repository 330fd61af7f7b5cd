// client: @mastra/core
// npm: @mastra/core@latest zod@latest
import { dataUrl, model, run } from './driver.mjs';
// recipe:begin js
import { Agent } from '@mastra/core/agent';

const zastava = (model) => ({
  id: `zastava/${model}`,
  url: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.ZASTAVA_KEY,
});
const helper = (model) =>
  new Agent({ id: 'helper', name: 'helper', instructions: 'Help.', model: zastava(model) });
// recipe:end
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

const agent = helper(model);

await run({
  chat: async (prompt) => (await agent.generate(prompt)).text,
  async *stream(prompt, abortSignal) {
    const { fullStream } = await agent.stream(prompt, { abortSignal });
    for await (const part of fullStream) {
      if (part.type === 'text-delta') yield part.payload.text;
      if (part.type === 'error') throw part.payload.error;
    }
  },
  tools: async (prompt, { name, description, execute }) => {
    const inputSchema = z.object({ city: z.string() });
    const tool = createTool({
      id: name,
      description,
      inputSchema,
      execute: async (input) => execute(input.context ?? input),
    });
    const own = new Agent({
      id: 'helper',
      name: 'helper',
      instructions: 'Help.',
      model: zastava(model),
      tools: { [name]: tool },
    });
    return (await own.generate(prompt)).text;
  },
  image: async (prompt) => {
    const picture = { type: 'image', image: dataUrl, mediaType: 'image/png' };
    const content = [{ type: 'text', text: prompt }, picture];
    return (await agent.generate([{ role: 'user', content }])).text;
  },
  structured: async (prompt) => {
    const schema = z.object({ name: z.string(), age: z.number().int() });
    return (await agent.generate(prompt, { structuredOutput: { schema } })).object;
  },
});
