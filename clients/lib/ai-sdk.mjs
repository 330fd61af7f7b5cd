/** What the Vercel AI SDK can do, the same with each of its provider packages. */
import { generateObject, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';

const STEPS = 5;

export function abilities(model, providerOptions) {
  const withTool = async (prompt, { name, description, parameters, execute }, toModelOutput) => {
    const tools = {
      [name]: tool({ description, inputSchema: jsonSchema(parameters), execute, toModelOutput }),
    };
    return (await generateText({ model, prompt, tools, stopWhen: stepCountIs(STEPS) })).text;
  };
  const asPicture = ({ output }) => ({
    type: 'content',
    value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: output } }],
  });
  return {
    chat: async (prompt) => (await generateText({ model, prompt })).text,
    async *stream(prompt, abortSignal) {
      const { fullStream } = streamText({ model, prompt, abortSignal, onError: () => {} });
      for await (const part of fullStream) {
        if (part.type === 'text-delta') yield part.text;
        if (part.type === 'error') throw part.error;
      }
    },
    tools: (prompt, definition) => withTool(prompt, definition),
    toolImage: (prompt, definition) => withTool(prompt, definition, asPicture),
    image: async (prompt, png) => {
      const picture = { type: 'image', image: Buffer.from(png, 'base64'), mediaType: 'image/png' };
      const content = [{ type: 'text', text: prompt }, picture];
      return (await generateText({ model, messages: [{ role: 'user', content }] })).text;
    },
    structured: async (prompt, schema) =>
      (await generateObject({ model, prompt, schema: jsonSchema(schema) })).object,
    reasoning: async (prompt) => {
      const { text, reasoningText } = await generateText({ model, prompt, providerOptions });
      return { text, reasoning: reasoningText ?? '' };
    },
  };
}
