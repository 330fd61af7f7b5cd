export { readConfig, type Config } from './config.ts';
export { ConfigError, SettingError } from './errors.ts';
export type { Environment } from './forms.ts';
export { booksLeftBehind, dataDirProblem, requireInstallation, sqliteBooks } from './data-dir.ts';
export type { OllamaSettings } from './ollama.ts';
export {
  exitNow,
  exitOnUnhandled,
  exitWithParent,
  hangUp,
  inTerminal,
  onHangUp,
  ownProgram,
  packagesFolder,
  parentChannel,
  programFolder,
  atExit,
  stopRequested,
  systemUser,
  untilStopRequested,
  type Channel,
} from './process.ts';
export {
  findSecret,
  makeSecret,
  readPreviousSecret,
  secretFile,
  type GivenSecret,
} from './secret.ts';
export { certificatesProblem, settingWarnings } from './warnings.ts';
