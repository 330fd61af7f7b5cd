type Json = Record<string, unknown>;

interface Document {
  paths?: object | undefined;
}

/**
 * Adds the other spelling of each POST: without its trailing slash, and under `/v1` with one. Its parts refer to those
 * of the first spelling, which `x-same-as` names.
 */
export function addOtherSpellings<T extends Document>(document: T): T {
  const paths = (document.paths ?? {}) as Record<string, Json>;
  const others = Object.entries(paths)
    .filter(([path]) => (path.endsWith('/') ? path !== '/' : path.startsWith('/v1/')))
    .flatMap(([path, { post }]) => (post ? [otherSpelling(path, post as Json)] : []));
  return { ...document, paths: { ...document.paths, ...Object.fromEntries(others) } };
}

function otherSpelling(path: string, operation: Json): [path: string, item: Json] {
  const place = encodeURI(`#/paths/${path.replaceAll('/', '~1')}/post`);
  const { operationId, tags, security, summary, description, 'x-scopes': scopes } = operation;
  const refer = (part: 'responses' | 'parameters') =>
    Object.keys((operation[part] ?? {}) as Json).map((key): [string, Json] => [
      key,
      { $ref: `${place}/${part}/${key}` },
    ]);
  const parameters = refer('parameters').map(([, reference]) => reference);
  const post = {
    operationId: `${String(operationId)}_as_well`,
    tags,
    summary,
    description,
    security,
    ...(scopes !== undefined && { 'x-scopes': scopes }),
    ...(parameters.length > 0 && { parameters }),
    ...('requestBody' in operation && { requestBody: { $ref: `${place}/requestBody` } }),
    responses: Object.fromEntries(refer('responses')),
  };
  const spelled = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  return [spelled, { 'x-same-as': path, post }];
}
