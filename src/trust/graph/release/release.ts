import { join } from 'node:path';
import { writeColumns, type Column } from './columns.ts';
import { damaged, findWrongSizes, readManifest, type Manifest } from './manifest.ts';
import { Names } from './names.ts';
import { PagedArray, PagedRows } from './paged-array.ts';
import { rowFiles, type Direction, type RowFiles } from './row-files.ts';

/**
 * An open release of the link graph. Opening takes milliseconds, whatever its size. It stays readable while it is held,
 * even if its files are removed.
 */
export class Release {
  readonly manifest: Manifest;
  readonly name: string;
  readonly nodes: number;
  readonly edges: number;
  readonly #directory: string;
  readonly #names: Names;
  readonly #out: PagedRows;
  readonly #in: PagedRows;
  readonly #columns = new Map<string, PagedArray>();

  /** @throws DomainError `not_found`, or `invalid_request` if files are missing or have the wrong size */
  constructor(directory: string, name: string) {
    this.#directory = directory;
    this.manifest = readManifest(directory, name);
    const [damage] = findWrongSizes(directory, this.manifest);
    if (damage !== undefined) throw damaged(name, damage);
    this.name = name;
    this.nodes = this.manifest.nodes;
    this.edges = this.manifest.edges;
    this.#names = new Names(directory, this.nodes);
    this.#out = new PagedRows(this.rowFiles('out'));
    this.#in = new PagedRows(this.rowFiles('in'));
    // Opened now, since the next ranking removes the files that it replaces.
    for (const { name: column, path, type } of this.manifest.columns) {
      this.#columns.set(column, new PagedArray(join(directory, path), type));
    }
  }

  /** @param domain in normal form: registrable, lower case, punycode, no `www.` */
  find(domain: string): number | undefined {
    return this.#names.find(domain);
  }

  nameOf(node: number): string {
    return this.#names.nameOf(node);
  }

  /** The nodes under a reversed suffix, such as `edu.` or `uk.ac.`: its first node, and the one after its last. */
  rangeOf(prefix: string): [start: number, end: number] {
    return this.#names.rangeOf(prefix);
  }

  /** The domains that link to this one, ascending. */
  donors(node: number): Iterable<number> {
    return this.#in.neighbours(node);
  }

  donorCount(node: number): number {
    return this.#in.degree(node);
  }

  /** The domains that this one links to, ascending. */
  acceptors(node: number): Iterable<number> {
    return this.#out.neighbours(node);
  }

  acceptorCount(node: number): number {
    return this.#out.degree(node);
  }

  /** One value per node, as ranked before this release was opened. */
  column(name: string): PagedArray | undefined {
    return this.#columns.get(name);
  }

  /** The columns of a ranking. See `writeColumns` in columns.ts. */
  writeColumns(
    columns: Readonly<Record<string, Column>>,
    ranking: Manifest['ranking'] = null,
  ): void {
    writeColumns(this.#directory, this.name, columns, { ranking });
  }

  /** The columns of a base; their names begin with `base_`. */
  writeBaseColumns(columns: Readonly<Record<string, Column>>, base: Manifest['base']): void {
    writeColumns(this.#directory, this.name, columns, { base });
  }

  /** All names in order, as reversed bytes that are valid until the next step. */
  names(): Generator<Uint8Array> {
    return this.#names.all();
  }

  /** For `mapRows` and `loadRows`. */
  rowFiles(direction: Direction): RowFiles {
    return rowFiles(this.#directory, direction, this.nodes, this.edges);
  }
}
