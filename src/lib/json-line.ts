/** What a command with `--json` prints to standard error: one of these in each line of JSON. */
export interface JsonLine {
  progress?: ProgressView;
  warning?: string;
  error?: ErrorView;
}

export interface ProgressView {
  step: string;
  /** Items of that step that are done; absent if a step is not counted. */
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
