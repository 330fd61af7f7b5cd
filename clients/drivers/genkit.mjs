// client: genkit
// npm: genkit@latest @genkit-ai/compat-oai@latest
import { dataUrl, model, run } from './driver.mjs';
// recipe:begin js
import { openAICompatible } from '@genkit-ai/compat-oai';
import { genkit } from 'genkit';

const ai = genkit({
  plugins: [
    openAICompatible({
      name: 'zastava',
      baseURL: 'http://127.0.0.1:8080/v1',
      apiKey: process.env.ZASTAVA_KEY,
    }),
  ],
});
const zastava = (model) => `zastava/${model}`;
// recipe:end
import { z } from 'genkit';

await run({
  chat: async (prompt) => (await ai.generate({ model: zastava(model), prompt })).text,
  async *stream(prompt, abortSignal) {
    const { stream, response } = ai.generateStream({ model: zastava(model), prompt, abortSignal });
    for await (const chunk of stream) yield chunk.text;
    await response;
  },
  tools: async (prompt, { name, description, execute }) => {
    const inputSchema = z.object({ city: z.string() });
    const definition = { name, description, inputSchema, outputSchema: z.string() };
    const own = ai.defineTool(definition, async (input) => execute(input));
    return (await ai.generate({ model: zastava(model), prompt, tools: [own] })).text;
  },
  image: async (prompt) => {
    const parts = [{ text: prompt }, { media: { url: dataUrl, contentType: 'image/png' } }];
    return (await ai.generate({ model: zastava(model), prompt: parts })).text;
  },
  structured: async (prompt) => {
    const schema = z.object({ name: z.string(), age: z.number() });
    return (await ai.generate({ model: zastava(model), prompt, output: { schema } })).output;
  },
});
