// client: pi
// kind: agent
// npm: @earendil-works/pi-coding-agent@0.99.1
// A package that 1.5.2 needs was not published.
import { model, run, settings, task } from './agent.mjs';

const config = `
// recipe:begin json
{
  "providers": {
    "zastava": {
      "baseUrl": "http://127.0.0.1:8080/v1",
      "api": "openai-completions",
      "apiKey": "ZASTAVA_KEY",
      "models": [{ "id": "mini", "input": ["text", "image"] }]
    }
  }
}
// recipe:end
`;
settings(
  '.pi/agent/models.json',
  config.replaceAll(/^\/\/.*\n/gm, '').replace('"mini"', `"${model}"`),
);
run('pi', ['--provider', 'zastava', '--model', model, '--offline', '--no-session', '-p', task]);
