/** The model that a path under `/v1/models` names, slashes and all; empty for the list itself. */
export function nameIn(path: string): string {
  const rest = path.slice('/v1/models'.length).replaceAll(/^\/+|\/+$/g, '');
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}
