# client: openai (Python), chat completions
# pypi: openai
import json

from driver import data_url, model, png, run, schema, screenshot, temperature_in, weather

# recipe:begin python
import os
from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:8080/v1", api_key=os.environ["ZASTAVA_KEY"])
# recipe:end

picture = {"type": "image_url", "image_url": {"url": data_url}}


def create(content, **more):
    messages = content if isinstance(content, list) and "role" in content[0] else [{"role": "user", "content": content}]
    return client.chat.completions.create(model=model, messages=messages, **more)


def stream(prompt):
    with create(prompt, stream=True) as chunks:
        for chunk in chunks:
            if chunk.choices:
                yield chunk.choices[0].delta.content


def with_tool(prompt, tool, result_of):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = create(messages, tools=[{"type": "function", "function": tool}]).choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message)
        for call in message.tool_calls:
            content = result_of(json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})


def reasoning(prompt):
    message = create(prompt, reasoning_effort="low").choices[0].message
    return {"text": message.content, "reasoning": getattr(message, "reasoning_content", None) or ""}


form = {"type": "json_schema", "json_schema": {"name": "person", "strict": True, "schema": schema}}
run(
    chat=lambda prompt: create(prompt).choices[0].message.content,
    stream=stream,
    tools=lambda prompt: with_tool(prompt, weather, lambda given: temperature_in(**given)),
    tool_image=lambda prompt: with_tool(prompt, screenshot, lambda given: [picture]),
    image=lambda prompt: create([{"type": "text", "text": prompt}, picture]).choices[0].message.content,
    structured=lambda prompt: json.loads(create(prompt, response_format=form).choices[0].message.content),
    reasoning=reasoning,
)
