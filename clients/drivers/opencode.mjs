// client: opencode
// kind: agent
// npm: opencode-ai@latest
import { model, recipe, run, settings, task } from './agent.mjs';

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
const mcp = `
// recipe:begin json
{
  "mcp": {
    "zastava": {
      "type": "remote",
      "url": "http://127.0.0.1:8080/mcp",
      "headers": { "Authorization": "Bearer {env:ZASTAVA_KEY}" }
    }
  }
}
// recipe:end
`;
const read = (text) => JSON.parse(recipe(text).replaceAll('"mini"', `"${model}"`));
settings('.config/opencode/opencode.json', JSON.stringify({ ...read(config), ...read(mcp) }));
run('opencode', ['run', '--auto', '-m', `zastava/${model}`, task]);
