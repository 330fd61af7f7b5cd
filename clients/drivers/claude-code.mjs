// client: Claude Code
// kind: agent
// npm: @anthropic-ai/claude-code@latest
import { spawnSync } from 'node:child_process';
import { home, model, run, task, work } from './agent.mjs';

const lines = `
# recipe:begin sh
export ANTHROPIC_BASE_URL=http://127.0.0.1:8080 ANTHROPIC_AUTH_TOKEN=$ZASTAVA_KEY
export ANTHROPIC_DEFAULT_HAIKU_MODEL=mini  # for titles and summaries
claude --model mini
# recipe:end

# recipe:begin sh
claude mcp add --transport http zastava http://127.0.0.1:8080/mcp --header "Authorization: Bearer $ZASTAVA_KEY"
# recipe:end
`;
const [, address] = /ANTHROPIC_BASE_URL=(\S+)/.exec(lines);
const [, mcp] = /zastava (\S+) --header/.exec(lines);
const header = `Authorization: Bearer ${process.env.ZASTAVA_KEY}`;
const env = {
  ANTHROPIC_BASE_URL: address,
  ANTHROPIC_AUTH_TOKEN: process.env.ZASTAVA_KEY,
  ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
};
const claude = (...words) =>
  spawnSync(`${home}/node_modules/.bin/claude`, words, {
    cwd: work,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
// An earlier run has left it with another address.
claude('mcp', 'remove', 'zastava');
claude('mcp', 'add', '--transport', 'http', 'zastava', mcp, '--header', header);
const allowed = ['--allowedTools', 'Read', 'Edit', 'Bash', 'mcp__zastava'];
run('claude', ['-p', task, '--model', model, ...allowed], env);
