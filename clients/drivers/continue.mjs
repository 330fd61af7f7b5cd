// client: Continue (cn)
// kind: agent
// npm: @continuedev/cli@latest
// client's task: its only tool to read a file gives the bytes of a picture as text, with U+0000, which is refused
import { home, model, run, settings, task } from './agent.mjs';

const config = `
# recipe:begin yaml
name: zastava
version: 0.0.1
schema: v1
models:
  - name: mini
    provider: openai
    model: mini
    apiBase: http://127.0.0.1:8080/v1
    apiKey: <your key>
    roles: [chat, edit, apply]
    capabilities: [tool_use, image_input]
# recipe:end

# recipe:begin yaml
mcpServers:
  - name: zastava
    type: streamable-http
    url: http://127.0.0.1:8080/mcp
    requestOptions:
      headers:
        Authorization: Bearer <your key>
# recipe:end
`;
const own = config.replaceAll('mini', model).replaceAll('<your key>', process.env.ZASTAVA_KEY);
settings('.continue/config.yaml', own);
run('cn', ['--config', `${home}/.continue/config.yaml`, '--auto', '-p', task]);
