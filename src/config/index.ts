export { ConfigError, readConfig, type Config } from './config.ts';
export { readSecret } from './secret.ts';
