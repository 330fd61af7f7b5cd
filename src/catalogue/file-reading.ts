import type { z } from 'zod';
import { didYouMean } from '../lib/nearest.ts';
import type { Bindings } from './bindings.ts';
import { MISSING } from './file-schema.ts';
import type { Fields } from './import/fields.ts';
import { Problems, type Path } from './problems.ts';
import type { ProviderOption, ProviderSet } from './provider-facts.ts';
import type { Environment } from './references.ts';
import type { YamlTree } from './yaml-tree.ts';

/** What a file may refer to outside itself. */
export interface KnownToFiles {
  kinds: readonly string[];
  /** The options of each kind; a kind without options may be missing. */
  options?: Readonly<Record<string, readonly ProviderOption[]>>;
  /** The built-in providers and models, unless the file switches them off. */
  builtin: readonly ProviderSet[];
  /** The environment variables that keys may refer to. */
  env?: Environment;
  /**
   * For a file that came over HTTP: the only hosts to which variables may be sent. Absent: it is the operator's own
   * file.
   */
  bound?: Bindings;
}

/** Reads values of a file by schemas, and collects all problems with their lines. */
export class FileReading {
  readonly tree: YamlTree;
  readonly #problems: Problems;
  readonly #warnings = new Problems();

  constructor(tree: YamlTree, problems: Problems) {
    this.tree = tree;
    this.#problems = problems;
  }

  /** Things that the operator may have meant differently, one line each. */
  get warnings(): string[] {
    return this.#warnings.lines;
  }

  /** The parsed value; undefined if it is wrong, with its problems recorded. */
  parse<T>(
    schema: z.ZodType<T>,
    value: unknown,
    path: Path,
    fields: readonly string[] = [],
  ): T | undefined {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      const at = [...path, ...issue.path.filter((part) => typeof part !== 'symbol')];
      if (issue.code !== 'unrecognized_keys') this.refuse(at, issue.message);
      else for (const key of issue.keys) this.refuseUnknown([...at, key], key, fields);
    }
    return undefined;
  }

  /** The valid fields of a map, so that they can be checked further although others are wrong. */
  parseFields<Shape extends z.ZodRawShape>(
    schema: z.ZodObject<Shape>,
    value: Fields,
    path: Path,
  ): Partial<z.output<z.ZodObject<Shape>>> {
    const { shape } = schema;
    const whole = this.parse(schema, value, path, Object.keys(shape));
    if (whole) return whole;
    const right = Object.entries(shape).flatMap(([name, field]) => {
      const read = (field as z.ZodType).safeParse(value[name]);
      return read.success ? [[name, read.data] as const] : [];
    });
    return Object.fromEntries(right) as Partial<z.output<z.ZodObject<Shape>>>;
  }

  refuseUnknown(path: Path, name: string, fields: readonly string[]): void {
    this.refuse(path, `unknown field${didYouMean(name, fields)}`);
  }

  refuse(path: Path, message: string): void {
    // The value is there, but was refused for its form.
    if (message.startsWith(MISSING) && this.tree.isRefused(path)) return;
    this.#problems.add(this.tree.lineOf(path), path, message);
  }

  warn(path: Path, message: string): void {
    this.#warnings.add(this.tree.lineOf(path), path, message);
  }
}
