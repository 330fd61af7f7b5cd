export { certificatesProblem } from './certificates.ts';
export { ConfigError, readConfig, type Config } from './config.ts';
export { requireInstallation } from './installed.ts';
export type { OllamaSettings } from './ollama.ts';
export { packagesFolder } from './packages.ts';
export { readPreviousSecret, readSecret } from './secret.ts';
