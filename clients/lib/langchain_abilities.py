"""What LangChain can do, the same with each of its provider packages."""

from driver import data_url, schema, screenshot, temperature_in, weather
from langchain_core.messages import HumanMessage, ToolMessage

picture = {"type": "image_url", "image_url": {"url": data_url}}


def abilities(chat, reasoner):
    def stream(prompt):
        for chunk in chat.stream(prompt):
            yield chunk.text

    def with_tool(prompt, tool, result_of):
        bound = chat.bind_tools([{"type": "function", "function": tool}])
        messages = [HumanMessage(prompt)]
        while True:
            answer = bound.invoke(messages)
            if not answer.tool_calls:
                return str(answer.text)
            messages.append(answer)
            for call in answer.tool_calls:
                messages.append(ToolMessage(tool_call_id=call["id"], content=result_of(call["args"])))

    person = {"title": "person", "description": "a person", **schema}
    return {
        "chat": lambda prompt: str(chat.invoke(prompt).text),
        "stream": stream,
        "tools": lambda prompt: with_tool(prompt, weather, lambda given: temperature_in(**given)),
        "tool_image": lambda prompt: with_tool(prompt, screenshot, lambda given: [picture]),
        "image": lambda prompt: str(
            chat.invoke([HumanMessage(content=[{"type": "text", "text": prompt}, picture])]).text
        ),
        "structured": lambda prompt: chat.with_structured_output(person).invoke(prompt),
        "reasoning": lambda prompt: str(reasoner.invoke(prompt).text),
    }
