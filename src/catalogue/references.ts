/** The settings of an operator's environment, e.g. `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const onlyReference = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;

/** True if the text is one `${NAME}` and nothing else, so it contains no secret. */
export function isReference(text: string): boolean {
  return onlyReference.test(text);
}

/** The names that a text refers to, in order. */
export function namesIn(text: string): string[] {
  return Array.from(text.matchAll(reference), (match) => match[1] ?? '');
}

/** The value of a variable; an empty one counts as not set. */
export function valueOf(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || undefined;
}

/** The text with every `${NAME}` substituted; undefined if one of them is not set. */
export function resolve(text: string, environment: Environment): string | undefined {
  const unset = namesIn(text).some((name) => valueOf(environment, name) === undefined);
  if (unset) return undefined;
  return text.replace(reference, (_, name: string) => valueOf(environment, name) ?? '');
}

/** What is wrong with the references in a text, or undefined. */
export function referenceProblem(text: string): string | undefined {
  if (/^\$[A-Za-z_]/.test(text) || text.replace(reference, '').includes('${')) {
    return 'write a reference to an environment variable as ${NAME}, in letters, digits and _';
  }
  // Otherwise an admin who applies a catalogue could send the gateway's own secrets to any address.
  if (namesIn(text).some((name) => name.startsWith('ZASTAVA_'))) {
    return "must not refer to the gateway's own settings (ZASTAVA_…)";
  }
  return undefined;
}
