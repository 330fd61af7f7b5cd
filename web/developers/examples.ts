/** A program that sends a request to a model with a certain tool. */
export interface Example {
  name: 'curl' | 'OpenAI' | 'Anthropic';
  /** The name of the language for syntax highlighting. */
  language: 'bash' | 'js';
  text: string;
}

/** The variable from which the examples read the key: no key is ever written into them. */
export const KEY_VARIABLE = 'ZASTAVA_KEY';

/** The base URL for OpenAI's clients. @param origin of the page */
export function baseUrlOf(origin: string): string {
  return `${origin}/v1`;
}

/** @param model its name under `/v1` */
export function examplesOf(origin: string, model: string): readonly Example[] {
  const name = JSON.stringify(model);
  const messages = '[{ role: "user", content: "Hello" }]';
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
  return [
    {
      name: 'curl',
      language: 'bash',
      text: `curl ${baseUrlOf(origin)}/chat/completions \\
  -H "Authorization: Bearer $${KEY_VARIABLE}" \\
  -H 'Content-Type: application/json' \\
  -d '${body.replaceAll("'", String.raw`'\''`)}'`,
    },
    {
      name: 'OpenAI',
      language: 'js',
      text: `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${baseUrlOf(origin)}",
  apiKey: process.env.${KEY_VARIABLE},
});
const answer = await client.chat.completions.create({
  model: ${name},
  messages: ${messages},
});
console.log(answer.choices[0].message.content);`,
    },
    {
      name: 'Anthropic',
      language: 'js',
      text: `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({
  baseURL: "${origin}",
  apiKey: process.env.${KEY_VARIABLE},
});
const answer = await client.messages.create({
  model: ${name},
  max_tokens: 200,
  messages: ${messages},
});
console.log(answer.content[0].text);`,
    },
  ];
}
