/** What a command with `--json` prints to standard error: a line of JSON, one of these. */
export interface JsonLine {
  progress?: ProgressView;
  warning?: string;
  error?: ErrorView;
}

export interface ProgressView {
  step: string;
  /** Items of that step; absent where a step is not counted. */
  done?: number;
  /** null: unknown. */
  total?: number | null;
}

export interface ErrorView {
  /** One of the codes of the HTTP interface, `usage`, or `failed` for everything else. */
  code: string;
  message: string;
  details?: readonly { path: string; message: string }[];
}
