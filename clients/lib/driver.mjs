/**
 * Runs a client of JavaScript through the cells. A driver calls `run` with what its client can do:
 * chat(prompt) and reasoning(prompt) give a text; stream(prompt, signal) gives pieces; tools(prompt, tool) and
 * toolImage(prompt, tool) give the text after the last call; image(prompt, base64) gives a text; structured(prompt,
 * schema) gives an object.
 */
import { createInterface } from 'node:readline';

export const model = process.env.MODEL;
const png = process.env.PNG;

/** A size that no picture has by chance: the scripted model reports it. */
export const dataUrl = `data:image/png;base64,${png}`;

export const weather = {
  name: 'get_weather',
  description: 'The weather in a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  execute: ({ city }) => `${city} ${city === 'Paris' ? 21 : 24}`,
};

export const screenshot = {
  name: 'take_screenshot',
  description: 'A screenshot as PNG',
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  execute: () => png,
};

export const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name', 'age'],
  additionalProperties: false,
};

const works = {
  chat: ({ chat }) => chat && (() => chat('Say good morning.')),
  funds: ({ chat }) => chat && (() => chat('Say good morning.')),
  overflow: ({ chat }) => chat && (() => chat('word '.repeat(80_000))),
  stream: ({ stream }) => stream && (() => collect(stream('Say good morning.'))),
  cut: ({ stream }) => stream && (() => collect(stream('Please break off.'))),
  abort: ({ stream }) => stream && (() => leave(stream)),
  tools: ({ tools }) => tools && (() => tools('What is the weather in Paris and Rome?', weather)),
  image: ({ image }) => image && (() => image('What is this?', png)),
  tool_image: ({ toolImage }) => toolImage && (() => toolImage('Take a screenshot.', screenshot)),
  structured: ({ structured }) => structured && (() => structured('Who is it?', schema)),
  reasoning: ({ reasoning }) => reasoning && (() => reasoning('Please think first.')),
};

async function collect(pieces) {
  const got = [];
  for await (const piece of pieces) if (piece) got.push(piece);
  return { text: got.join(''), pieces: got.length };
}

/** Leaves a stream after its first piece. */
async function leave(stream) {
  const controller = new AbortController();
  try {
    for await (const piece of stream('Please count slowly.', controller.signal)) {
      if (!piece) continue;
      controller.abort();
      break;
    }
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  }
  return 'left';
}

export async function run(client) {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  for (const cell of process.env.CELLS.split(',')) {
    const work = works[cell](client);
    if (!work) {
      say({ cell, none: true });
      continue;
    }
    say({ begin: cell });
    await lines.next();
    try {
      say({ cell, value: await work() });
    } catch (error) {
      say({ cell, error: about(error) });
    }
  }
  process.exit(0);
}

function about(error) {
  const cause = error?.lastError ?? error?.cause;
  const status = error?.status ?? error?.statusCode ?? cause?.status ?? cause?.statusCode;
  return {
    name: error?.name ?? '',
    message: String(error?.message ?? error).slice(0, 1000),
    status,
  };
}

function say(fact) {
  process.stdout.write(`@@ ${JSON.stringify(fact)}\n`);
}

/** Some clients fail in promises of their own, which nobody can await. */
process.on('unhandledRejection', (error) => console.error(error));
