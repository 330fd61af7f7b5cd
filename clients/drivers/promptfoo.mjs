// client: promptfoo
// npm: promptfoo@latest node@24
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { model, run } from './driver.mjs';

const config = `
# recipe:begin yaml
providers:
  - id: openai:chat:mini
    config:
      apiBaseUrl: http://127.0.0.1:8080/v1
      apiKeyEnvar: ZASTAVA_KEY
# recipe:end
`;

/** One evaluation of one prompt, by the command that people use. */
function evaluate(prompt) {
  writeFileSync('prompt.txt', prompt);
  const rest = 'prompts: [file://prompt.txt]\ntests: [{ vars: {} }]\n';
  writeFileSync('promptfooconfig.yaml', config.replace('mini', model) + rest);
  rmSync('out.json', { force: true });
  const words = [
    'eval',
    '--no-cache',
    '--no-progress-bar',
    '-c',
    'promptfooconfig.yaml',
    '-o',
    'out.json',
  ];
  // The Node.js that was installed with it.
  const PATH = `${process.cwd()}/node_modules/.bin:${process.env.PATH}`;
  const quiet = { PROMPTFOO_DISABLE_TELEMETRY: '1', PROMPTFOO_DISABLE_UPDATE: '1' };
  const env = { ...process.env, PATH, ...quiet };
  spawnSync('node_modules/.bin/promptfoo', words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [result] = JSON.parse(readFileSync('out.json', 'utf8')).results.results;
  if (result.error) throw new Error(result.error);
  return result.response.output;
}

await run({ chat: async (prompt) => evaluate(prompt) });
