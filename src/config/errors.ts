/** A setting that can't be used. The message names it and says what is valid. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** An environment variable that is missing or has a wrong value: the next start fails too. */
export class SettingError extends ConfigError {}
