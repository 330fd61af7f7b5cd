export { certificatesProblem } from './certificates.ts';
export { ConfigError, readConfig, type Config } from './config.ts';
export { dataDirProblem } from './denied.ts';
export { booksLeftBehind, requireInstallation, sqliteBooks } from './installed.ts';
export type { OllamaSettings } from './ollama.ts';
export { ownProgram } from './own-program.ts';
export { packagesFolder } from './packages.ts';
export {
  findSecret,
  makeSecret,
  readPreviousSecret,
  secretFile,
  type GivenSecret,
} from './secret.ts';
export { settingWarnings } from './warnings.ts';
