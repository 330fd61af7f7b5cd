/**
 * A catalogue file (YAML) to start from, which README.md shows as well. Its variable belongs to a preset, so that an
 * admin may send the file over HTTP.
 */
export const exampleFile = `providers:
  openai:
    kind: openai                  # OpenAI and every compatible server
    api_key: \${OPENAI_API_KEY}    # from the server's environment; or the key itself
    # base_url: http://10.0.0.7:8000/v1    # of a compatible server
models:
  - id: 101
    provider: openai
    model: gpt-5-mini
    type: TEXT
    max_input_tokens: 272000
    max_output_tokens: 128000
    cost_input_tokens_rub: 25     # rubles per 1,000,000 tokens
    cost_output_tokens_rub: 200
`;
