/** References to environment variables, `${NAME}`, in the texts of a catalogue. */
import type { ProviderFacts } from './provider-facts.ts';

/** Environment variables by name, e.g. `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const onlyReference = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;

/** A key is sent in a header. Providers only use printable ASCII. */
export const KEY_FORM = 'must be one line of Latin letters, digits and punctuation';

/** Whether a key, or a part of one, can be sent. */
export function isKeyText(text: string): boolean {
  return !/[^\x20-\x7e]/.test(text);
}

/** True if the text is exactly one `${NAME}`, and so contains no secret. */
export function isReference(text: string): boolean {
  return onlyReference.test(text);
}

/** Replaces a secret that is not shown. */
export const MASK = '(set)';

/** A key or the value of a header as it may be shown: a reference unchanged, anything else masked. */
export function masked(secret: string): string {
  return isReference(secret) ? secret : MASK;
}

export function namesIn(text: string): string[] {
  return Array.from(text.matchAll(reference), (match) => match[1] ?? '');
}

/** The variables that a provider refers to. */
export function namesOf({ baseUrl, keys, options, headers = {} }: ProviderFacts): string[] {
  const texts = [...Object.values(options), ...Object.values(headers)];
  return [baseUrl ?? '', ...keys.map(({ key }) => key), ...texts].flatMap(namesIn);
}

/** The texts that are sent in headers: keys, and the values of the operator's own headers. */
export function sentInHeaders({ keys, headers = {} }: ProviderFacts): { key: string }[] {
  return [...keys, ...Object.values(headers).map((key) => ({ key }))];
}

/** The value of a variable; an empty one counts as not set. */
export function valueOf(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || undefined;
}

export function substitute(text: string, environment: Environment): string {
  return text.replace(reference, (_, name: string) => valueOf(environment, name) ?? '');
}

/** Names of environment variables that providers refer to and that are not set, without duplicates. */
export function unsetNames(
  providers: readonly ProviderFacts[],
  environment: Environment,
): readonly string[] {
  const names = providers.flatMap(namesOf);
  return sorted(names.filter((name) => valueOf(environment, name) === undefined));
}

/** Names of variables that keys refer to and whose values can't be sent as keys, without duplicates. */
export function unusableNames(
  keys: readonly { key: string }[],
  environment: Environment,
): readonly string[] {
  const names = keys.flatMap(({ key }) => namesIn(key));
  return sorted(names.filter((name) => !isKeyText(valueOf(environment, name) ?? '')));
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted();
}

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
