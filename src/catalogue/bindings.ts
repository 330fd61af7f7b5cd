/**
 * Which environment variables may be sent where. A person who applies a catalogue on the server can read its
 * environment anyway; an admin over HTTP cannot, and could otherwise have any variable sent to a host of their own.
 */
import { standardHosts } from './import/sources.ts';
import type { ProviderFacts } from './provider-facts.ts';
import { namesIn, namesOf } from './references.ts';

/** For the name of each variable, the hosts to which its value may be sent. */
export type Bindings = ReadonlyMap<string, readonly string[]>;

/** The variables that providers refer to, each bound to the hosts of those providers. */
export function bindingsOf(providers: readonly ProviderFacts[]): Bindings {
  return merged(
    providers.flatMap((provider) => namesOf(provider).map((name) => [name, hostsOf(provider)])),
  );
}

/** Combines bindings: each name gets the hosts of all. */
export function merged(bindings: Iterable<readonly [string, readonly string[]]>): Bindings {
  const all = new Map<string, string[]>();
  for (const [name, hosts] of bindings) {
    all.set(name, [...new Set([...(all.get(name) ?? []), ...hosts])].toSorted());
  }
  return all;
}

/** The variables of a provider that may not be sent to one of its hosts, each with that host. */
export function unboundIn(
  provider: ProviderFacts,
  bound: Bindings,
): { name: string; host: string }[] {
  return [...new Set(namesOf(provider))].flatMap((name) => {
    const host = hostsOf(provider).find((each) => !bound.get(name)?.includes(each));
    return host === undefined ? [] : [{ name, host }];
  });
}

/** Where a provider's key and options are sent: `https://api.openai.com`, or words if no address is given. */
function hostsOf({ kind, baseUrl, options }: ProviderFacts): string[] {
  const { package: pack, ...others } = options;
  const main = baseUrl === null ? standardHostOf(kind, pack) : hostOf(baseUrl);
  const further = Object.values(others).filter(isAddress).map(hostOf);
  return [main, ...further];
}

function standardHostOf(kind: string, pack: string | undefined): string {
  if (pack !== undefined) return `the standard host of ${pack}`;
  const host = standardHosts[kind];
  return host === undefined ? `the standard host of kind ${kind}` : `https://${host}`;
}

/** An address that contains a variable counts as a host itself, since the value decides where it leads. */
function hostOf(address: string): string {
  return namesIn(address).length > 0 ? address : (URL.parse(address)?.origin ?? address);
}

/** Whether an option may be an address. An option that is just one variable is not: the operator chose its value. */
function isAddress(option: string): boolean {
  const [name] = namesIn(option);
  if (name !== undefined) return option !== `\${${name}}`;
  return /^https?:$/.test(URL.parse(option)?.protocol ?? '');
}
