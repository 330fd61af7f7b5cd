// client: Claude Code
// kind: agent
// npm: @anthropic-ai/claude-code@latest
import { model, run, task } from './agent.mjs';

const lines = `
# recipe:begin sh
export ANTHROPIC_BASE_URL=http://127.0.0.1:8080 ANTHROPIC_AUTH_TOKEN=$ZASTAVA_KEY
export ANTHROPIC_DEFAULT_HAIKU_MODEL=mini  # for titles and summaries
claude --model mini
# recipe:end
`;
const [, address] = /ANTHROPIC_BASE_URL=(\S+)/.exec(lines);
// It asks before it uses a tool that is not allowed, and nobody answers here.
run('claude', ['-p', task, '--model', model, '--allowedTools', 'Read', 'Edit', 'Bash'], {
  ANTHROPIC_BASE_URL: address,
  ANTHROPIC_AUTH_TOKEN: process.env.ZASTAVA_KEY,
  ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
});
