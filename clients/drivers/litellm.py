# client: litellm (Python)
# pypi: litellm[mcp]
import json

from driver import data_url, model, run, schema, screenshot, temperature_in, weather

# recipe:begin python
import os
import litellm

zastava = {"api_base": "http://127.0.0.1:8080/v1", "api_key": os.environ["ZASTAVA_KEY"]}
ask = lambda model, messages, **more: litellm.completion(
    model=f"openai/{model}", messages=messages, **zastava, **more
)
# recipe:end

picture = {"type": "image_url", "image_url": {"url": data_url}}


def user(content):
    return [{"role": "user", "content": content}]


def stream(prompt):
    chunks = ask(model, user(prompt), stream=True)
    try:
        for chunk in chunks:
            yield chunk.choices[0].delta.content
    finally:
        # None once the stream has ended.
        if chunks.completion_stream:
            chunks.completion_stream.close()


def with_tool(prompt, tool, result_of):
    messages = user(prompt)
    while True:
        message = ask(model, messages, tools=[{"type": "function", "function": tool}]).choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message)
        for call in message.tool_calls:
            content = result_of(json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})


def reasoning(prompt):
    answer = ask(model, user(prompt), reasoning_effort="low", allowed_openai_params=["reasoning_effort"])
    message = answer.choices[0].message
    return {"text": message.content, "reasoning": getattr(message, "reasoning_content", None) or ""}


form = {"type": "json_schema", "json_schema": {"name": "person", "strict": True, "schema": schema}}
run(
    chat=lambda prompt: ask(model, user(prompt)).choices[0].message.content,
    stream=stream,
    tools=lambda prompt: with_tool(prompt, weather, lambda given: temperature_in(**given)),
    tool_image=lambda prompt: with_tool(prompt, screenshot, lambda given: [picture]),
    image=lambda prompt: ask(model, user([{"type": "text", "text": prompt}, picture])).choices[0].message.content,
    structured=lambda prompt: json.loads(ask(model, user(prompt), response_format=form).choices[0].message.content),
    reasoning=reasoning,
)
