/** Reads an OpenAPI document and checks values against its schemas. */
import { z } from 'zod';

export type Json = Record<string, unknown>;

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  security: Json[];
  /** The scopes of API keys that may call it. */
  'x-scopes'?: string[];
  description?: string;
  parameters?: { name: string; in: string; schema: Json }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json; example: Json }> };
  responses: Record<string, Response>;
}

interface Response {
  description: string;
  headers: Record<string, { $ref: string }>;
  content: Record<string, { schema: Json; example?: unknown }>;
}

export interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    headers: Record<string, { required?: boolean; schema: Json }>;
    schemas: Record<string, Json>;
    securitySchemes: Record<string, Json>;
  };
}

/** The JSON operations of `/openapi.json`, native and under `/v1`, each only in its first spelling. */
export async function readDocument(answer: globalThis.Response): Promise<Document> {
  const document = (await answer.json()) as Document;
  const paths = Object.entries(document.paths).filter(
    ([path, item]) => !isOtherSpelling(item) && jsonPath.test(path),
  );
  return { ...document, paths: Object.fromEntries(paths) };
}

const jsonPath = /^\/(auth|ai|account|admin|trust|v1)\//;

/** Whether another path also describes this one. */
export function isOtherSpelling(item: object): boolean {
  return 'x-same-as' in item;
}

/** The problems of a value by a schema of the document; empty if it matches. */
export function problems(document: Document, schema: Json, value: unknown): string[] {
  const $defs = document.components.schemas;
  const text = JSON.stringify({ allOf: [schema], $defs });
  const local: unknown = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'));
  const parsed = z.fromJSONSchema(local as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value);
  return (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

export function requestSchema(document: Document, path: string): Json {
  return requestContent(document, path)?.schema ?? {};
}

/** The JSON body of a path, or its form. */
export function requestContent(document: Document, path: string) {
  const content = document.paths[path]?.['post']?.requestBody?.content;
  return content?.['application/json'] ?? content?.['multipart/form-data'];
}

/** The parts of a response that the document does not describe, or describes differently; empty if it matches. */
export function undescribed(
  document: Document,
  operation: Operation | undefined,
  answer: { status: number; headers: Headers; body: unknown },
): string[] {
  const response = operation?.responses[answer.status];
  if (!response) return [`there is no status ${answer.status}`];
  const type = answer.headers.get('content-type')?.split(';', 1)[0] ?? '';
  const schema = response.content[type]?.schema;
  return [
    ...(schema ? problems(document, schema, answer.body) : [`there is no ${type}`]),
    ...headerProblems(document, response, answer.headers),
  ];
}

/** Headers of any HTTP response, which OpenAPI documents elsewhere or not at all. */
const usual = new Set([
  'cache-control',
  'content-length',
  'content-type',
  'date',
  'vary',
  'x-accel-buffering',
  'x-content-type-options',
]);

function headerProblems(document: Document, response: Response, sent: Headers): string[] {
  const described = new Map(
    Object.entries(response.headers).map(([name, { $ref }]) => [
      name.toLowerCase(),
      document.components.headers[$ref.split('/').at(-1) ?? ''],
    ]),
  );
  const found = [...sent.keys()].filter((name) => !usual.has(name));
  return [
    ...found.filter((name) => !described.has(name)).map((name) => `${name} is not described`),
    ...[...described].flatMap(([name, header]) => {
      const value = sent.get(name);
      if (value === null) return header?.required ? [`${name} is missing`] : [];
      const { type } = header?.schema ?? {};
      const read = type === 'integer' ? Number(value) : value;
      return problems(document, header?.schema ?? {}, read).map((problem) => `${name} ${problem}`);
    }),
  ];
}

/** Every `$ref` in a document, at any depth. */
export function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member] : references(member),
  );
}
