import { didYouMean } from '../lib/nearest.ts';
import type { ProviderOption } from './provider-set.ts';
import { namesIn } from './references.ts';

interface OptionProblem {
  path: readonly string[];
  message: string;
}

/** What is wrong with a provider's options: unknown or missing ones, and wrong values. */
export function optionProblems(
  kind: string,
  options: Readonly<Record<string, string>>,
  known: readonly ProviderOption[],
): OptionProblem[] {
  const names = known.map(({ name }) => name);
  const unknown = Object.keys(options).filter((name) => !names.includes(name));
  return [
    ...unknown.map((name) => ({ path: [name], message: unknownOption(kind, name, names) })),
    ...known.flatMap((option) => {
      const message = valueProblem(kind, option, options[option.name]);
      return message === undefined ? [] : [{ path: [option.name], message }];
    }),
  ];
}

function unknownOption(kind: string, name: string, names: readonly string[]): string {
  if (names.length === 0) return `unknown option: the kind ${kind} has none`;
  return `unknown option${didYouMean(name, names)}: the kind ${kind} has ${names.join(', ')}`;
}

function valueProblem(
  kind: string,
  { required = false, values }: ProviderOption,
  value: string | undefined,
): string | undefined {
  if (value === undefined) return required ? `is missing: the kind ${kind} needs it` : undefined;
  // Only the server knows the values of variables.
  if (!values || namesIn(value).length > 0 || values.includes(value)) return undefined;
  return `must be one of ${values.join(', ')}`;
}
