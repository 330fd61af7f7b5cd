// client: @instructor-ai/instructor
// npm: @instructor-ai/instructor@latest openai@4 zod@3
import { model, run } from './driver.mjs';
// recipe:begin js
import Instructor from '@instructor-ai/instructor';
import OpenAI from 'openai';

const client = Instructor({
  client: new OpenAI({
    baseURL: 'http://127.0.0.1:8080/v1',
    apiKey: process.env.ZASTAVA_KEY,
  }),
  mode: 'TOOLS',
});
// recipe:end
import { z } from 'zod';

const messages = (content) => [{ role: 'user', content }];

await run({
  chat: async (prompt) => {
    const answer = await client.chat.completions.create({ model, messages: messages(prompt) });
    return answer.choices[0].message.content;
  },
  structured: (prompt) => {
    const schema = z.object({ name: z.string(), age: z.number().int() });
    const response_model = { schema, name: 'Person' };
    return client.chat.completions.create({ model, messages: messages(prompt), response_model });
  },
});
