import { DomainError } from '../lib/errors.ts';

export type Path = readonly (string | number)[];

const PROBLEMS_LISTED_MAX = 100;

/** `models[3].max_temperature` */
function formatPath(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}

/** Collects all problems of a file, so that an operator can correct them together. */
export class Problems {
  readonly #found: Problem[] = [];

  get any(): boolean {
    return this.#found.length > 0;
  }

  add(line: number, path: Path, message: string): void {
    this.#found.push({ line, path: formatPath(path), message });
  }

  /** The problems in words, ordered by line. */
  get lines(): string[] {
    return this.#sorted.map(lineOf);
  }

  get #sorted(): Problem[] {
    return this.#found.toSorted((first, second) => first.line - second.line);
  }

  /** @throws `invalid_request` with a detail for each problem, if there are any */
  refuse(): void {
    if (!this.any) return;
    const sorted = this.#sorted;
    const listed = sorted.slice(0, PROBLEMS_LISTED_MAX);
    const details = listed.map(({ line, path, message }) => ({
      path,
      message: `line ${line}: ${message}`,
    }));
    const lines = ['the catalogue was refused:', ...listed.map(lineOf)];
    const more = sorted.length - listed.length;
    if (more > 0) lines.push(`and ${more} more`);
    const count = sorted.length === 1 ? '' : ` for ${sorted.length} problems, the first`;
    const message = `the catalogue was refused${count}: ${lines[1]}`;
    throw new DomainError('invalid_request', message, { details, lines });
  }
}

interface Problem {
  line: number;
  path: string;
  message: string;
}

/** `line 12: models[0].type: must be TEXT or IMAGE` */
function lineOf({ line, path, message }: Problem): string {
  return `line ${line}: ${path === '' ? '' : `${path}: `}${message}`;
}
