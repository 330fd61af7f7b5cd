# client: Aider
# pypi: aider-chat
# client's funds: it sends a request again after each error that LiteLLM calls APIError, whatever its status
import os
import re
import subprocess
import sys

from driver import model, run

lines = """
# recipe:begin sh
export OPENAI_API_BASE=http://127.0.0.1:8080/v1 OPENAI_API_KEY=$ZASTAVA_KEY
aider --model openai/mini
# recipe:end
"""
address = lines.split("OPENAI_API_BASE=")[1].split()[0]
home = os.environ["HOME"]
quiet = ["--no-git", "--yes-always", "--no-pretty", "--no-check-update", "--analytics-disable"]
alone = [*quiet, "--no-show-model-warnings", "--no-gitignore", "--no-stream", "--map-tokens", "0"]


def chat(prompt):
    with open("prompt.txt", "w") as file:
        file.write(prompt)
    program = [os.path.join(os.path.dirname(sys.executable), "aider"), "--model", f"openai/{model}"]
    own = {"OPENAI_API_BASE": address, "OPENAI_API_KEY": os.environ["ZASTAVA_KEY"]}
    ended = subprocess.run(
        [*program, *alone, "--message-file", "prompt.txt"],
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )
    # Not the price list that it can't fetch.
    if re.search(r"litellm\.\w*Error|has hit a token limit", ended.stdout):
        raise RuntimeError(ended.stdout[-600:])
    return ended.stdout


run(chat=chat)
