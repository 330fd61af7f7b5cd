# client: anthropic (Python)
# pypi: anthropic
import json

from driver import model, png, run, schema, screenshot, temperature_in, weather

# recipe:begin python
import os
from anthropic import Anthropic

client = Anthropic(base_url="http://127.0.0.1:8080", api_key=os.environ["ZASTAVA_KEY"])
# recipe:end

picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": png}}


def create(messages, **more):
    return client.messages.create(model=model, max_tokens=4000, messages=messages, **more)


def user(content):
    return [{"role": "user", "content": content}]


def text_of(answer):
    return "".join(block.text for block in answer.content if block.type == "text")


def stream(prompt):
    with client.messages.stream(model=model, max_tokens=4000, messages=user(prompt)) as events:
        yield from events.text_stream


def with_tool(prompt, tool, result_of):
    messages = user(prompt)
    own = {"name": tool["name"], "description": tool["description"], "input_schema": tool["parameters"]}
    while True:
        answer = create(messages, tools=[own])
        calls = [block for block in answer.content if block.type == "tool_use"]
        if not calls:
            return text_of(answer)
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": result_of(call.input)} for call in calls
        ]
        messages += [{"role": "assistant", "content": answer.content}, {"role": "user", "content": results}]


def reasoning(prompt):
    answer = create(user(prompt), thinking={"type": "enabled", "budget_tokens": 2000})
    texts = [block.thinking for block in answer.content if block.type == "thinking"]
    return {"text": text_of(answer), "reasoning": "".join(texts)}


form = {"format": {"type": "json_schema", "schema": schema}}
run(
    chat=lambda prompt: text_of(create(user(prompt))),
    stream=stream,
    tools=lambda prompt: with_tool(prompt, weather, lambda given: temperature_in(**given)),
    tool_image=lambda prompt: with_tool(prompt, screenshot, lambda given: [picture]),
    image=lambda prompt: text_of(create(user([picture, {"type": "text", "text": prompt}]))),
    structured=lambda prompt: json.loads(text_of(create(user(prompt), output_config=form))),
    reasoning=reasoning,
)
