/** What LangChain can do, the same with each of its provider packages. */
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { dataUrl } from './driver.mjs';

const picture = { type: 'image_url', image_url: { url: dataUrl } };

export function abilities(chat, reasoner) {
  const withTool = async (prompt, { name, description, parameters, execute }, resultOf) => {
    const bound = chat.bindTools([
      { type: 'function', function: { name, description, parameters } },
    ]);
    const messages = [new HumanMessage(prompt)];
    for (;;) {
      const answer = await bound.invoke(messages);
      if (!answer.tool_calls?.length) return answer.text;
      messages.push(answer);
      for (const { id, args } of answer.tool_calls) {
        messages.push(new ToolMessage({ tool_call_id: id, content: resultOf(execute(args)) }));
      }
    }
  };
  return {
    chat: async (prompt) => (await chat.invoke(prompt)).text,
    async *stream(prompt, signal) {
      for await (const chunk of await chat.stream(prompt, { signal })) yield chunk.text;
    },
    tools: (prompt, tool) => withTool(prompt, tool, (text) => text),
    toolImage: (prompt, tool) => withTool(prompt, tool, () => [picture]),
    image: async (prompt) => {
      const content = [{ type: 'text', text: prompt }, picture];
      return (await chat.invoke([new HumanMessage({ content })])).text;
    },
    structured: (prompt, schema) =>
      chat
        .withStructuredOutput({ title: 'person', description: 'a person', ...schema })
        .invoke(prompt),
    reasoning: async (prompt) => (await reasoner.invoke(prompt)).text,
  };
}
