export { ConfigError, readConfig, type Config } from './config.ts';
export type { OllamaSettings } from './ollama.ts';
export { readPreviousSecret, readSecret } from './secret.ts';
