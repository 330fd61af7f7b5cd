/** Keys of providers: what they may be made of, also where a variable of the environment holds them. */
import type { Path } from './problems.ts';
import type { ProviderFacts } from './provider-set.ts';
import { namesIn, valueOf, type Environment } from './references.ts';
import { textsOfRouting, type RawRouting } from './routing.ts';

/** A key goes into a header, which holds one line of Latin letters; providers only use printable ASCII. */
export const KEY_FORM = 'must be Latin letters, digits and signs in one line';

/** Whether a key, or a part of one, can be sent. */
export function isKeyText(text: string): boolean {
  return !/[^\x20-\x7e]/.test(text);
}

/** Names of variables that keys refer to and whose values can't be sent as keys, each once. */
export function unusableNames(
  providers: readonly ProviderFacts[],
  environment: Environment,
): readonly string[] {
  const keys = providers.flatMap(({ apiKey, routing }) => [
    apiKey ?? '',
    ...textsOfRouting(routing),
  ]);
  return unusableIn(keys, environment);
}

/** What is wrong with the variables that a file's provider takes its keys from. */
export function keyProblems(
  { api_key: key, api_keys: keys = [] }: RawRouting & { api_key?: string | undefined },
  environment: Environment,
): { path: Path; message: string }[] {
  const all: [Path, string][] = [
    [['api_key'], key ?? ''],
    ...keys.map((each, index): [Path, string] => [['api_keys', index, 'key'], each.key]),
  ];
  return all.flatMap(([path, text]) =>
    unusableIn([text], environment).map((name) => ({
      path,
      message: `the value of ${name} in the environment ${KEY_FORM}`,
    })),
  );
}

function unusableIn(texts: readonly string[], environment: Environment): string[] {
  const names = texts.flatMap(namesIn);
  return [
    ...new Set(names.filter((name) => !isKeyText(valueOf(environment, name) ?? ''))),
  ].toSorted();
}
