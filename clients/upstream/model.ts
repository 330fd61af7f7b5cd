import { nextStep } from './agent.ts';
import { person, sampleOf } from './sample.ts';
import type { Message, Reply, Turn } from './turn.ts';

/** Words of a prompt that tell the scripted model what to do. `clients/lib` has the same. */
const asksForWeather = /weather/i;
const asksForScreenshot = /screenshot/i;
const asksForReasoning = /think first/i;
const asksSlowly = /count slowly/i;
const asksForCut = /break off/i;
const asksForTask = /ZASTAVA-TASK/;
const asksForFields = /a JSON object with the following fields/i;

/** What the scripted model answers. It is pure, and knows only what a real model would see. */
export function replyTo(turn: Turn): Reply {
  const reply = plainReplyTo(turn);
  // Some agents want their answer by a tool.
  const isFinal = reply.text !== undefined && turn.tools.some(({ name }) => name === FINAL_ANSWER);
  return isFinal ? { call: { name: FINAL_ANSWER, arguments: { answer: reply.text } } } : reply;
}

const FINAL_ANSWER = 'final_answer';

function plainReplyTo(turn: Turn): Reply {
  const asked = userText(turn.messages);
  if (asksForTask.test(asked)) {
    // Agents ask for titles and summaries besides, without tools.
    return turn.tools.length > 0 ? nextStep(turn) : { text: 'A small task' };
  }
  const results = resultsOf(turn.messages);
  const weather = turn.tools.find(({ name }) => asksForWeather.test(name));
  if (weather && asksForWeather.test(asked)) {
    const city = cities[results.length];
    if (city !== undefined) return { call: { name: weather.name, arguments: { city } } };
    return { text: `Weather: ${results.map(({ text }) => text).join('; ')}` };
  }
  const screenshot = turn.tools.find(({ name }) => asksForScreenshot.test(name));
  if (screenshot && asksForScreenshot.test(asked)) {
    if (results.length === 0) return { call: { name: screenshot.name, arguments: {} } };
    return { text: seen(turn.messages) };
  }
  const schema = turn.schema ?? schemaIn(turn.messages);
  if (schema) return { text: JSON.stringify(sampleOf(schema)) };
  const [first] = turn.tools;
  if (first && turn.mustCall && results.length === 0) {
    const sample = sampleOf(first.schema) as Record<string, unknown>;
    return { call: { name: first.name, arguments: sample } };
  }
  if (asksForReasoning.test(asked))
    return { reasoning: 'Let me think about it.', text: 'The answer is 42.' };
  if (asksForCut.test(asked)) return { text: manyWords, cut: true };
  if (asksSlowly.test(asked)) return { text: manyWords, slow: true };
  return turn.messages.some(({ pictures }) => pictures.length > 0)
    ? { text: seen(turn.messages) }
    : { text: 'Good morning from the model.' };
}

const cities = ['Paris', 'Rome'];
const manyWords = Array.from({ length: 100 }, (_, index) => `number ${index}`).join(', ');

function userText(messages: readonly Message[]): string {
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text)
    .join('\n');
}

/** Some clients put the schema of the answer into the prompt, or describe its fields in words. */
function schemaIn(messages: readonly Message[]): Record<string, unknown> | undefined {
  const said = messages.map(({ text }) => text).join('\n');
  if (asksForFields.test(said)) return person;
  const written = /schema:\s*```(?:json)?\s*(\{[\s\S]*?\})\s*```/.exec(said)?.[1];
  return written === undefined ? undefined : (JSON.parse(written) as Record<string, unknown>);
}

/** Some agents write them into messages of the user. */
function resultsOf(messages: readonly Message[]): Message[] {
  return messages.filter(
    ({ role, text }) => role === 'tool' || (role === 'user' && text.startsWith('Observation:')),
  );
}

/** Names each picture of the conversation, so that the client can be asked whether its own has arrived. */
function seen(messages: readonly Message[]): string {
  const pictures = messages.flatMap((message) => message.pictures);
  const named = pictures.map(({ type, bytes }) => `${type} of ${bytes} bytes`);
  return named.length > 0 ? `I see ${named.join(', ')}.` : 'I see no picture.';
}
