export { certificatesProblem } from './certificates.ts';
export { ConfigError, readConfig, type Config, type Environment } from './config.ts';
export { dataDirProblem } from './denied.ts';
export { booksLeftBehind, requireInstallation, sqliteBooks } from './installed.ts';
export type { OllamaSettings } from './ollama.ts';
export { ownProgram } from './own-program.ts';
export { packagesFolder } from './packages.ts';
export {
  exitNow,
  exitOnUnhandled,
  exitWithParent,
  stopRequested,
  untilStopRequested,
} from './process.ts';
export {
  findSecret,
  makeSecret,
  readPreviousSecret,
  secretFile,
  type GivenSecret,
} from './secret.ts';
export { settingWarnings } from './warnings.ts';
