/** Checks that keys of providers can be sent, including keys in environment variables. */
import type { Path } from './problems.ts';
import type { ProviderFacts } from './provider-set.ts';
import { namesIn, valueOf, type Environment } from './references.ts';
import { textsOfRouting, type RawRouting } from './routing.ts';

/** A key is sent in a header. Providers use printable ASCII only. */
export const KEY_FORM = 'must be one line of Latin letters, digits and punctuation';

/** Whether a key, or a part of one, can be sent. */
export function isKeyText(text: string): boolean {
  return !/[^\x20-\x7e]/.test(text);
}

/** Names of variables that keys refer to and whose values can't be sent as keys, without repetition. */
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

/** What is wrong with the variables that hold the keys of a provider. */
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
