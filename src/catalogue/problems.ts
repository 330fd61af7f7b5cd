import { DomainError, type ErrorDetail } from '../lib/errors.ts';

export type Path = readonly (string | number)[];

/** Problems listed in one refusal; a file with more is not read by a person to the end. */
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

/** Collects all that is wrong with a file, so that an operator mends it in one go. */
export class Problems {
  readonly #found: { line: number; path: string; message: string }[] = [];

  get any(): boolean {
    return this.#found.length > 0;
  }

  add(line: number, path: Path, message: string): void {
    this.#found.push({ line, path: formatPath(path), message });
  }

  /** @throws `invalid_request` with a detail for each problem, when there is any */
  refuse(): void {
    if (!this.any) return;
    const sorted = this.#found.toSorted((first, second) => first.line - second.line);
    const details: ErrorDetail[] = sorted
      .slice(0, PROBLEMS_LISTED_MAX)
      .map(({ line, path, message }) => ({ path, message: `line ${line}: ${message}` }));
    throw new DomainError('invalid_request', summary(sorted), { details });
  }
}

function summary(problems: readonly { line: number; path: string; message: string }[]): string {
  const [first] = problems;
  if (!first) return '';
  const text = `line ${first.line}: ${first.path === '' ? '' : `${first.path}: `}${first.message}`;
  if (problems.length === 1) return `the catalogue was refused: ${text}`;
  return `the catalogue was refused for ${problems.length} problems, the first: ${text}`;
}
