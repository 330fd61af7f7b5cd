# client: dspy (Python)
# pypi: dspy
from driver import data_url, model, run

# recipe:begin python
import os
import dspy

lm = lambda model: dspy.LM(
    f"openai/{model}", api_base="http://127.0.0.1:8080/v1", api_key=os.environ["ZASTAVA_KEY"]
)
# recipe:end

# Otherwise an answer of another user comes from the disk.
dspy.configure_cache(enable_disk_cache=False, enable_memory_cache=False)
own = lm(model)
dspy.configure(lm=own)


def ask(*content):
    return own(messages=[{"role": "user", "content": list(content)}])[0]


def text(prompt):
    return {"type": "text", "text": prompt}


def structured(prompt):
    person = dspy.Predict("question -> name: str, age: int")(question=prompt)
    return {"name": person.name, "age": person.age}


run(
    chat=lambda prompt: own(prompt)[0],
    image=lambda prompt: ask(text(prompt), {"type": "image_url", "image_url": {"url": data_url}}),
    structured=structured,
)
