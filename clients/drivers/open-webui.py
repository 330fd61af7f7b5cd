# client: Open WebUI
# pypi: open-webui
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from driver import data_url, model, run

line = """
# recipe:begin sh
OPENAI_API_BASE_URL=http://127.0.0.1:8080/v1 OPENAI_API_KEY=$ZASTAVA_KEY open-webui serve
# recipe:end
"""
address = line.split("OPENAI_API_BASE_URL=")[1].split()[0]
START_SECONDS = 200

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = str(free.getsockname()[1])
own = {
    "OPENAI_API_BASE_URL": address,
    "OPENAI_API_KEY": os.environ["ZASTAVA_KEY"],
    "DATA_DIR": tempfile.mkdtemp(dir="."),
    # It would fetch a model for embeddings, and ask for its own newest version.
    "RAG_EMBEDDING_ENGINE": "openai",
    "OFFLINE_MODE": "true",
    "ENABLE_OLLAMA_API": "false",
}
program = os.path.join(os.path.dirname(sys.executable), "open-webui")
server = subprocess.Popen(
    [program, "serve", "--host", "127.0.0.1", "--port", port],
    env={**os.environ, **own},
    stdin=subprocess.DEVNULL,
    stdout=sys.stderr,
)


class Refused(Exception):
    def __init__(self, status_code, text):
        super().__init__(text)
        self.status_code = status_code


def ask(path, body=None, token=""):
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, headers)
    try:
        return urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        raise Refused(error.code, error.read().decode()) from None


def started():
    for _ in range(START_SECONDS):
        try:
            return ask("/health").status == 200
        except OSError:
            time.sleep(1)
    raise TimeoutError("Open WebUI did not start")


started()
person = {"name": "a", "email": "a@example.com", "password": "A-long-password-1"}
token = json.load(ask("/api/v1/auths/signup", person))["token"]
ask("/api/models", token=token).read()


def send(content, **more):
    messages = [{"role": "user", "content": content}]
    return ask("/api/chat/completions", {"model": model, "messages": messages, **more}, token)


def chat(content):
    answer = json.load(send(content))
    return answer["choices"][0]["message"]["content"]


def stream(prompt):
    with send(prompt, stream=True) as lines:
        for line in lines:
            if not line.startswith(b"data: {"):
                continue
            event = json.loads(line[6:])
            if "error" in event:
                raise Refused(None, json.dumps(event["error"]))
            for choice in event.get("choices", []):
                yield choice["delta"].get("content")


def image(prompt):
    return chat([{"type": "text", "text": prompt}, {"type": "image_url", "image_url": {"url": data_url}}])


run(chat=chat, stream=stream, image=image, end=server.kill)
