/** Reading an OpenAPI document, and checking values against its schemas. */
import { z } from 'zod';

export type Json = Record<string, unknown>;

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  security: Json[];
  parameters?: { name: string; in: string; schema: Json }[];
  requestBody: { content: Record<string, { schema: Json; example: Json }> };
  responses: Record<string, { description: string; content: Record<string, { schema: Json }> }>;
}

export interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; securitySchemes: Record<string, Json> };
}

/** What is wrong with a value by a schema of the document; nothing when it fits. */
export function problems(document: Document, schema: Json, value: unknown): string[] {
  const $defs = document.components.schemas;
  const text = JSON.stringify({ allOf: [schema], $defs });
  const local: unknown = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'));
  const parsed = z.fromJSONSchema(local as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value);
  return (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

export function requestSchema(document: Document, path: string): Json {
  return document.paths[path]?.['post']?.requestBody.content['application/json']?.schema ?? {};
}

/** @returns undefined when the document knows no such answer of the operation */
export function responseSchema(document: Document, path: string, status: number): Json | undefined {
  const response = document.paths[path]?.['post']?.responses[status];
  return response?.content['application/json']?.schema;
}

/** Every `$ref` in a document, wherever it stands. */
export function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member] : references(member),
  );
}
