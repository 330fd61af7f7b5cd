// client: Codex
// kind: agent
// npm: @openai/codex@latest
import { model, run, settings, task } from './agent.mjs';

const config = `
# recipe:begin toml
model = "mini"
model_provider = "zastava"

[model_providers.zastava]
name = "Zastava"
base_url = "http://127.0.0.1:8080/v1"
env_key = "ZASTAVA_KEY"
wire_api = "responses"
# recipe:end

# recipe:begin toml
[mcp_servers.zastava]
url = "http://127.0.0.1:8080/mcp"
bearer_token_env_var = "ZASTAVA_KEY"
# recipe:end
`;
settings('.codex/config.toml', config.replace('mini', model));
// Its own sandbox needs rights that a container does not give.
const alone = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
run('codex', ['exec', ...alone, task]);
