// client: opencode
// kind: agent
// npm: opencode-ai@latest
import { model, run, settings, task } from './agent.mjs';

const config = `
// recipe:begin json
{
  "$schema": "https://opencode.ai/config.json",
  "provider": {
    "zastava": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Zastava",
      "options": { "baseURL": "http://127.0.0.1:8080/v1", "apiKey": "{env:ZASTAVA_KEY}" },
      "models": {
        "mini": { "modalities": { "input": ["text", "image"], "output": ["text"] } }
      }
    }
  }
}
// recipe:end
`;
settings(
  '.config/opencode/opencode.json',
  config.replaceAll(/^\/\/.*\n/gm, '').replaceAll('"mini"', `"${model}"`),
);
run('opencode', ['run', '--auto', '-m', `zastava/${model}`, task]);
