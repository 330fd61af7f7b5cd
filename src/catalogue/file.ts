import type { z } from 'zod';
import { DomainError } from '../lib/errors.ts';
import { unboundIn, type Bindings } from './bindings.ts';
import {
  codeProblem,
  modelSchema,
  providerSchema,
  sandboxSchema,
  type CatalogueFile,
  type FileModel,
  type RawModel,
  type RawProvider,
} from './file-schema.ts';
import { checkFallbacks, checkUnique, optionProblems, type FallbackTarget } from './file-checks.ts';
import { namesPrice, readPrice } from './file-prices.ts';
import {
  FILE_BYTES_MAX,
  MODELS_MAX,
  PROVIDERS_MAX,
  TEMPERATURE_USUAL_MAX,
  TIMEOUT_SECONDS_DEFAULT,
} from './limits.ts';
import { isFields, type Fields } from './import/fields.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { SandboxMode } from './plan.ts';
import { Problems, type Path } from './problems.ts';
import type { ProviderFacts, ProviderOption, ProviderSet } from './provider-facts.ts';
import { KEY_FORM, unusableNames, type Environment } from './references.ts';
import { readYaml, type YamlTree } from './yaml-tree.ts';

/** What a file may refer to outside itself. */
export interface KnownToFiles {
  kinds: readonly string[];
  /** The options of each kind; a kind without options may be missing. */
  options?: Readonly<Record<string, readonly ProviderOption[]>>;
  /** The providers and models of the product itself, unless the file switches them off. */
  builtin: readonly ProviderSet[];
  /** The environment variables that keys may refer to. */
  env?: Environment;
  /** For a file that came over HTTP: the only hosts that variables may be sent to. Absent: it is the operator's own. */
  bound?: Bindings;
}

const RETIRE_ALL = '(to retire all models, write "models: []")';
const topFields = ['sandbox', 'providers', 'models'];

/**
 * Reads a catalogue file (YAML 1.2). Pure.
 * @throws `invalid_request` with a detail for each problem, naming its line and field, but never its value, since the
 *   file may contain keys
 */
export function parseCatalogue(text: string, known: KnownToFiles): CatalogueFile {
  if (Buffer.byteLength(text) > FILE_BYTES_MAX) {
    throw new DomainError(
      'invalid_request',
      'the catalogue file is larger than 4 MiB: remove what is not needed',
    );
  }
  const problems = new Problems();
  const tree = readYaml(text, problems);
  problems.refuse();
  const file = new FileReader(tree, known, problems).read();
  problems.refuse();
  return file;
}

class FileReader {
  readonly #tree: YamlTree;
  readonly #known: KnownToFiles;
  readonly #problems: Problems;

  constructor(tree: YamlTree, known: KnownToFiles, problems: Problems) {
    this.#tree = tree;
    this.#known = known;
    this.#problems = problems;
  }

  read(): CatalogueFile {
    const top = this.#tree.value;
    const binds = this.#known.bound === undefined;
    const file: CatalogueFile = { sandbox: null, providers: [], models: [], binds };
    if (!isFields(top)) {
      const message = `the file must have the fields providers and models ${RETIRE_ALL}`;
      this.#refuse([], message);
      return file;
    }
    for (const name of Object.keys(top)) {
      if (!topFields.includes(name)) this.#refuseUnknown([name], name, topFields);
    }
    if (top['sandbox'] !== undefined) {
      file.sandbox = this.#parse(sandboxSchema, top['sandbox'], ['sandbox'], []) ?? null;
    }
    const providers = top['providers'] ?? {};
    if (!isFields(providers)) this.#refuse(['providers'], 'must be a map of provider codes');
    else file.providers = this.#providers(providers);
    const models = top['models'];
    // A truncated or mistyped file must not retire everything.
    if (models === undefined) this.#refuse([], `the field models is missing ${RETIRE_ALL}`);
    else if (models === null) this.#refuse(['models'], `is empty ${RETIRE_ALL}`);
    else if (!Array.isArray(models)) this.#refuse(['models'], 'must be a list of models');
    else file.models = this.#models(models, this.#providerCodes(providers, file.sandbox));
    const refuse = (model: FileModel, field: Path, message: string) =>
      this.#refuse(['models', model.index, ...field], message);
    checkUnique(file.models, refuse);
    checkFallbacks(file.models, this.#targets(models, file.sandbox), refuse);
    return file;
  }

  #providers(values: Fields): ProviderFacts[] {
    const entries = Object.entries(values);
    if (entries.length > PROVIDERS_MAX) {
      this.#refuse(['providers'], `must be at most ${PROVIDERS_MAX} providers`);
      return [];
    }
    return entries.flatMap(([code, value]) => {
      const path = ['providers', code];
      const problem = codeProblem(code);
      if (problem !== undefined) this.#refuse(path, problem);
      if (!isFields(value)) {
        this.#refuse(path, 'must be a map with at least the field kind');
        return [];
      }
      const raw = this.#parse(providerSchema, value, path, Object.keys(providerSchema.shape));
      if (!raw) return [];
      const provider = toProvider(code, raw);
      this.#checkKind(code, raw.kind, path);
      // The values of other variables are nobody's business.
      if (this.#checkBindings(provider, path)) this.#checkKeys(raw, path);
      this.#checkOptions(raw, path);
      return [provider];
    });
  }

  #checkKind(code: string, kind: string, path: Path): void {
    const { kinds, builtin } = this.#known;
    if (!kinds.includes(kind)) {
      const hint = didYouMean(kind, kinds);
      this.#refuse([...path, 'kind'], `unknown kind${hint}: must be one of ${kinds.join(', ')}`);
    }
    const own = builtin.find(({ provider }) => provider.code === code);
    if (own && own.provider.kind !== kind) {
      this.#refuse(
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
      this.#refuse(path, message);
    }
    return unbound.length === 0;
  }

  #checkKeys({ api_key: key, api_keys: keys = [] }: RawProvider, path: Path): void {
    if (key !== undefined && keys.length > 0) {
      this.#refuse([...path, 'api_keys'], 'replace api_key: write only one of the two');
    }
    const all = keys.map((each, index) => ({ key: each.key, at: ['api_keys', index, 'key'] }));
    if (key !== undefined) all.push({ key, at: ['api_key'] });
    for (const each of all) {
      for (const name of unusableNames([each], this.#known.env ?? {})) {
        const message = `the value of ${name} in the environment ${KEY_FORM}`;
        this.#refuse([...path, ...each.at], message);
      }
    }
  }

  #checkOptions({ kind, options = {} }: RawProvider, path: Path): void {
    const { kinds, options: ofKinds = {} } = this.#known;
    // The options of an unknown kind are unknown.
    if (!kinds.includes(kind)) return;
    const known = Object.hasOwn(ofKinds, kind) ? (ofKinds[kind] ?? []) : [];
    for (const problem of optionProblems(kind, options, known)) {
      this.#refuse([...path, 'options', problem.name], problem.message);
    }
  }

  /** Every code that a model may refer to, including those of refused providers. */
  #providerCodes(providers: unknown, sandbox: SandboxMode): string[] {
    const codes = isFields(providers) ? Object.keys(providers) : [];
    return codes.concat(
      sandbox !== 'off' ? this.#known.builtin.map(({ provider }) => provider.code) : [],
    );
  }

  /** Every model that a fallback may refer to, including refused ones. */
  #targets(values: unknown, sandbox: SandboxMode): Map<number, FallbackTarget> {
    const targets = new Map<number, FallbackTarget>();
    for (const { models } of sandbox !== 'off' ? this.#known.builtin : []) {
      for (const { id, facts } of models) {
        targets.set(id, { type: facts.type, priced: facts.price !== null });
      }
    }
    for (const value of Array.isArray(values) ? values : []) {
      if (!isFields(value) || typeof value['id'] !== 'number') continue;
      targets.set(value['id'], { type: value['type'], priced: namesPrice(value) });
    }
    return targets;
  }

  #models(values: readonly unknown[], codes: readonly string[]): FileModel[] {
    if (values.length > MODELS_MAX) {
      this.#refuse(['models'], `must be at most ${MODELS_MAX} models`);
      return [];
    }
    return values.flatMap((value, index) => {
      const path = ['models', index];
      if (!isFields(value)) {
        this.#refuse(
          path,
          'must be a map with at least provider, model, type and the token limits',
        );
        return [];
      }
      const provider = value['provider'];
      if (typeof provider === 'string' && !codes.includes(provider)) {
        const hint = didYouMean(provider, codes);
        this.#refuse([...path, 'provider'], `unknown provider${hint}: define it under providers`);
      }
      const raw = this.#parse(modelSchema, value, path, Object.keys(modelSchema.shape));
      return raw ? [this.#model(raw, index)] : [];
    });
  }

  #model(raw: RawModel, index: number): FileModel {
    const path = ['models', index];
    const { min_temperature: min = 0, max_temperature: max = TEMPERATURE_USUAL_MAX } = raw;
    if (min > max) {
      this.#refuse([...path, 'min_temperature'], `must not be above max_temperature (${max})`);
    }
    const price = readPrice(raw, (field, message) => this.#refuse([...path, field], message));
    return {
      id: raw.id,
      facts: {
        provider: raw.provider,
        model: raw.model,
        description: raw.description ?? raw.model,
        descriptionFull: raw.description_full ?? '',
        alias: raw.model_alias ?? null,
        type: raw.type,
        maxInputTokens: raw.max_input_tokens,
        maxOutputTokens: raw.max_output_tokens,
        minTemperature: min,
        maxTemperature: max,
        chatAllowed: (raw.is_chat_mode_allowed ?? (raw.type === 'TEXT' ? 1 : 0)) === 1,
        price,
      },
      fallbacks: raw.fallbacks ?? [],
      index,
      line: this.#tree.lineOf(path),
    };
  }

  /** The parsed value; undefined if it is wrong, with its problems recorded. */
  #parse<T>(
    schema: z.ZodType<T>,
    value: unknown,
    path: Path,
    fields: readonly string[],
  ): T | undefined {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      const at = [...path, ...issue.path.filter((part) => typeof part !== 'symbol')];
      if (issue.code !== 'unrecognized_keys') this.#refuse(at, issue.message);
      else for (const key of issue.keys) this.#refuseUnknown([...at, key], key, fields);
    }
    return undefined;
  }

  #refuseUnknown(path: Path, name: string, fields: readonly string[]): void {
    this.#refuse(path, `unknown field${didYouMean(name, fields)}`);
  }

  #refuse(path: Path, message: string): void {
    this.#problems.add(this.#tree.lineOf(path), path, message);
  }
}

function toProvider(code: string, raw: RawProvider): ProviderFacts {
  const keys = raw.api_keys ?? (raw.api_key === undefined ? [] : [{ key: raw.api_key }]);
  return {
    code,
    kind: raw.kind,
    baseUrl: raw.base_url ?? null,
    keys: keys.map(({ key, weight = 1 }) => ({ key, weight })),
    timeoutSeconds: raw.timeout_seconds ?? TIMEOUT_SECONDS_DEFAULT,
    options: raw.options ?? {},
    maxConcurrent: raw.max_concurrent,
    maxRequestsPerMinute: raw.max_requests_per_minute,
  };
}
