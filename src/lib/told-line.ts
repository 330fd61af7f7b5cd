/** How far a step of long work is, as a command tells it to machines. */
export interface ToldProgress {
  step: string;
  /** Items of that step; absent where a step is not counted. */
  done?: number;
  /** null: nobody knows. */
  total?: number | null;
}

/** An error as a command tells it to machines. */
export interface ToldError {
  /** One of the codes of the HTTP interface, `usage`, or `failed` for all else. */
  code: string;
  message: string;
  details?: readonly { path: string; message: string }[];
}

/** A line of JSON that a command prints to standard error with `--json`: one of these. */
export interface ToldLine {
  progress?: ToldProgress;
  warning?: string;
  error?: ToldError;
}
