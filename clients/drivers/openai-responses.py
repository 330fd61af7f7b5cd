# client: openai (Python), responses
# pypi: openai
import json
import os

from driver import data_url, model, run, schema, screenshot, temperature_in, weather
from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:8080/v1", api_key=os.environ["ZASTAVA_KEY"])
picture = {"type": "input_image", "image_url": data_url, "detail": "auto"}


def create(given, **more):
    return client.responses.create(model=model, input=given, **more)


def stream(prompt):
    with create(prompt, stream=True) as events:
        for event in events:
            if event.type == "response.output_text.delta":
                yield event.delta
            if event.type == "response.failed":
                raise RuntimeError(event.response.error.message)


def with_tool(prompt, tool, result_of):
    given = [{"role": "user", "content": prompt}]
    while True:
        answer = create(given, tools=[{"type": "function", "strict": True, **tool}])
        calls = [item for item in answer.output if item.type == "function_call"]
        if not calls:
            return answer.output_text
        given += answer.output
        for call in calls:
            output = result_of(json.loads(call.arguments))
            given.append({"type": "function_call_output", "call_id": call.call_id, "output": output})


def reasoning(prompt):
    answer = create(prompt, reasoning={"effort": "low", "summary": "auto"})
    items = [item.to_json() for item in answer.output if item.type == "reasoning"]
    return {"text": answer.output_text, "reasoning": "".join(items)}


form = {"format": {"type": "json_schema", "name": "person", "strict": True, "schema": schema}}
run(
    chat=lambda prompt: create(prompt).output_text,
    stream=stream,
    tools=lambda prompt: with_tool(prompt, weather, lambda given: temperature_in(**given)),
    tool_image=lambda prompt: with_tool(prompt, screenshot, lambda given: [picture]),
    image=lambda prompt: create(
        [{"role": "user", "content": [{"type": "input_text", "text": prompt}, picture]}]
    ).output_text,
    structured=lambda prompt: json.loads(create(prompt, text=form).output_text),
    reasoning=reasoning,
)
