// client: LibreChat (its engine)
// npm: @librechat/agents@latest @langchain/core@latest
// The server itself is on no registry, and needs MongoDB.
import { readFileSync } from 'node:fs';
import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { GraphEvents, Run } from '@librechat/agents';
import { dataUrl, model, run } from './driver.mjs';

/*
# recipe:begin yaml
version: 1.3.17
endpoints:
  custom:
    - name: Zastava
      baseURL: http://127.0.0.1:8080/v1
      apiKey: ${ZASTAVA_KEY}
      models:
        default: [mini]
        fetch: true
      titleConvo: true
      titleModel: mini # otherwise it asks for one of OpenAI's
# recipe:end
*/
const own = readFileSync(new URL(import.meta.url), 'utf8');
const [, baseURL] = /baseURL: (http\S+)/.exec(own);
const llmConfig = {
  provider: 'openAI',
  model,
  streaming: true,
  streamUsage: true,
  apiKey: process.env.ZASTAVA_KEY,
  configuration: { baseURL },
};
const picture = { type: 'image_url', image_url: { url: dataUrl } };

let runs = 0;

/** One turn as the server makes it, reported to `handlers`. */
async function turn(content, { tools = [], handlers = {}, signal } = {}) {
  const runId = `run-${++runs}`;
  const made = await Run.create({
    runId,
    graphConfig: { type: 'standard', llmConfig, tools, instructions: 'You are a helper.' },
    returnContent: true,
    customHandlers: handlers,
  });
  const options = { configurable: { thread_id: runId }, version: 'v2', signal };
  await made.processStream({ messages: [new HumanMessage({ content })] }, options);
  return (made.getRunMessages() ?? []).at(-1)?.text ?? '';
}

/** The server gives an image of a tool beside its text, as an artifact. */
function toolOf({ name, description, parameters, execute }, artifact) {
  const work = async (given) =>
    artifact ? ['It follows.', artifact] : [execute(given), undefined];
  const about = { name, description, schema: parameters };
  return tool(work, { ...about, responseFormat: 'content_and_artifact' });
}

/** The pieces of an answer as they arrive. */
async function* stream(prompt, signal) {
  const pieces = [];
  let wake;
  const handle = (_event, data) => {
    pieces.push(data.delta.content?.[0]?.text ?? '');
    wake?.();
  };
  let isOver = false;
  const handlers = { [GraphEvents.ON_MESSAGE_DELTA]: { handle } };
  const ended = turn(prompt, { handlers, signal }).finally(() => {
    isOver = true;
    wake?.();
  });
  ended.catch(() => undefined);
  for (;;) {
    while (pieces.length > 0) yield pieces.shift();
    if (isOver) return void (await ended);
    await new Promise((resolve) => (wake = resolve));
  }
}

await run({
  chat: (prompt) => turn(prompt),
  stream,
  tools: (prompt, definition) => turn(prompt, { tools: [toolOf(definition)] }),
  toolImage: (prompt, definition) =>
    turn(prompt, { tools: [toolOf(definition, { content: [picture] })] }),
  image: (prompt) => turn([{ type: 'text', text: prompt }, picture]),
});
