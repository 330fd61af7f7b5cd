import { didYouMean } from '../lib/nearest.ts';
import { unboundIn } from './bindings.ts';
import { optionProblems } from './file-checks.ts';
import type { FileReading, KnownToFiles } from './file-reading.ts';
import { codeProblem, providerSchema, type RawProvider } from './file-schema.ts';
import { isFields, type Fields } from './import/fields.ts';
import { PROVIDERS_MAX, TIMEOUT_SECONDS_DEFAULT } from './limits.ts';
import type { Path } from './problems.ts';
import type { ProviderFacts } from './provider-facts.ts';
import { KEY_FORM, unusableNames } from './references.ts';

/** Reads the providers of a file. Providers with problems are returned with placeholders. */
export function readProviders(
  values: Fields,
  known: KnownToFiles,
  reading: FileReading,
): ProviderFacts[] {
  const entries = Object.entries(values);
  if (entries.length > PROVIDERS_MAX) {
    reading.refuse(['providers'], `must be at most ${PROVIDERS_MAX} providers`);
    return [];
  }
  const reader = new ProviderReader(known, reading);
  return entries.flatMap(([code, value]) => reader.read(code, value));
}

class ProviderReader {
  readonly #known: KnownToFiles;
  readonly #reading: FileReading;

  constructor(known: KnownToFiles, reading: FileReading) {
    this.#known = known;
    this.#reading = reading;
  }

  read(code: string, value: unknown): ProviderFacts[] {
    const path = ['providers', code];
    const problem = codeProblem(code);
    if (problem !== undefined) this.#reading.refuse(path, problem);
    if (!isFields(value)) {
      this.#reading.refuse(path, 'must be a map with at least the field kind');
      return [];
    }
    const raw = this.#reading.parseFields(providerSchema, value, path);
    const provider = toProvider(code, raw);
    this.#checkKind(code, raw.kind, path);
    // The values of other variables must not be revealed.
    if (this.#checkBindings(provider, path)) this.#checkKeys(raw, path);
    this.#checkOptions(raw, path);
    this.#checkExtras(raw, path);
    return [provider];
  }

  #checkKind(code: string, kind: string | undefined, path: Path): void {
    if (kind === undefined) return;
    const { kinds, builtin } = this.#known;
    if (!kinds.includes(kind)) {
      const hint = didYouMean(kind, kinds);
      const message = `unknown kind${hint}: must be one of ${kinds.join(', ')}`;
      this.#reading.refuse([...path, 'kind'], message);
    }
    const own = builtin.find(({ provider }) => provider.code === code);
    if (own && own.provider.kind !== kind) {
      this.#reading.refuse(
        [...path, 'kind'],
        `the code ${code} belongs to a built-in provider: choose another code, or the kind ${own.provider.kind}`,
      );
    }
  }

  #checkBindings(provider: ProviderFacts, path: Path): boolean {
    const { bound } = this.#known;
    const unbound = bound ? unboundIn(provider, bound) : [];
    for (const { name, host } of unbound) {
      const message = `over HTTP, ${name} may not be sent to ${host}: apply a file that does so with "zastava catalogue apply" or ZASTAVA_CATALOGUE, which binds the variable to the host`;
      this.#reading.refuse(path, message);
    }
    return unbound.length === 0;
  }

  #checkKeys(raw: Partial<RawProvider>, path: Path): void {
    const { api_key: key, api_keys: keys = [], headers = {} } = raw;
    if (key !== undefined && keys.length > 0) {
      this.#reading.refuse([...path, 'api_keys'], 'replace api_key: write only one of the two');
    }
    const all: { key: string; at: Path }[] = [
      ...keys.map((each, index) => ({ key: each.key, at: ['api_keys', index, 'key'] })),
      ...Object.entries(headers).map(([name, value]) => ({ key: value, at: ['headers', name] })),
    ];
    if (key !== undefined) all.push({ key, at: ['api_key'] });
    for (const each of all) {
      for (const name of unusableNames([each], this.#known.env ?? {})) {
        const message = `the value of ${name} in the environment ${KEY_FORM}`;
        this.#reading.refuse([...path, ...each.at], message);
      }
    }
  }

  /** The packages of the AI SDK build their own bodies. */
  #checkExtras({ kind, headers, extra_body: body }: Partial<RawProvider>, path: Path): void {
    const refuse = (name: string) =>
      this.#reading.refuse([...path, name], `the kind ${kind ?? ''} does not support it`);
    if (headers && kind === 'sandbox') refuse('headers');
    if (body && (kind === 'sandbox' || kind === 'ai-sdk')) refuse('extra_body');
  }

  #checkOptions({ kind, options = {} }: Partial<RawProvider>, path: Path): void {
    const { kinds, options: ofKinds = {} } = this.#known;
    // An unknown kind has no known options.
    if (kind === undefined || !kinds.includes(kind)) return;
    const known = Object.hasOwn(ofKinds, kind) ? (ofKinds[kind] ?? []) : [];
    for (const problem of optionProblems(kind, options, known)) {
      this.#reading.refuse([...path, 'options', problem.name], problem.message);
    }
  }
}

function toProvider(code: string, raw: Partial<RawProvider>): ProviderFacts {
  const keys = raw.api_keys ?? (raw.api_key === undefined ? [] : [{ key: raw.api_key }]);
  return {
    code,
    kind: raw.kind ?? '',
    baseUrl: raw.base_url ?? null,
    keys: keys.map(({ key, weight = 1 }) => ({ key, weight })),
    timeoutSeconds: raw.timeout_seconds ?? TIMEOUT_SECONDS_DEFAULT,
    options: raw.options ?? {},
    maxConcurrent: raw.max_concurrent,
    maxRequestsPerMinute: raw.max_requests_per_minute,
    headers: raw.headers,
    extraBody: raw.extra_body,
  };
}
