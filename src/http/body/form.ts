/**
 * Reads forms with files (`multipart/form-data`, RFC 7578). The runtime's own reader takes a third of a second for a
 * form of 32 MiB.
 */
import type { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';

export const FORM_PARTS_MAX = 100;
/** The largest head of a part, in bytes. */
const HEAD_MAX_BYTES = 8 * 1024;
const NAME_MAX_CHARACTERS = 200;

/** Whether a body must be a form with files, or may be one. Undefined: only JSON. */
export type FormRule = 'only' | 'also' | undefined;

/** A file in a form. Its bytes are a part of the body. */
export class FormFile {
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly contentType: string;

  constructor(bytes: Uint8Array, name: string, contentType: string) {
    this.bytes = bytes;
    this.name = name;
    this.contentType = contentType;
  }
}

interface Part {
  name: string;
  value: string | FormFile;
}

export interface Form {
  /** By name. A name that ends in `[]`, or is repeated, makes a list; `name[key]` makes an object. */
  fields: Record<string, unknown>;
  fileBytes: number;
  /** SHA-256 of the names and values in hex: two forms that differ only in their boundary have the same digest. */
  digest(): Promise<string>;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const CRLF = '\r\n';

export function isFormType(type: string | null): boolean {
  return type !== null && /^multipart\/form-data\s*(;|$)/i.test(type.trim());
}

/** @throws `invalid_request` if the bytes are not a form; `payload_too_large` if it has too many parts */
export function parseForm(bytes: Uint8Array, contentType: string): Form {
  const parts = partsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), contentType);
  const files = parts.flatMap(({ value }) => (typeof value === 'string' ? [] : [value]));
  return {
    fields: fieldsOf(parts),
    fileBytes: files.reduce((sum, file) => sum + file.bytes.length, 0),
    digest: () => digestOf(parts),
  };
}

function partsOf(body: Buffer, contentType: string): Part[] {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed('its Content-Type has no boundary');
  const delimiter = Buffer.from(`--${boundary}`);
  const parts: Part[] = [];
  let at = body.indexOf(delimiter);
  if (at < 0) throw malformed('it does not have the boundary of its Content-Type');
  const between = Buffer.from(`${CRLF}--${boundary}`);
  for (at += delimiter.length; ;) {
    if (body.subarray(at, at + 2).equals(Buffer.from('--'))) return parts;
    const lineEnd = body.indexOf(CRLF, at);
    const headEnd = body
      .subarray(0, at + HEAD_MAX_BYTES)
      .indexOf(CRLF + CRLF, Math.max(0, lineEnd));
    if (lineEnd < 0 || headEnd < 0) throw malformed('a part has no head, or a long one');
    const end = body.indexOf(between, headEnd + 2);
    if (end < 0) throw malformed('it does not end with its boundary');
    if (parts.length === FORM_PARTS_MAX) {
      const message = `the form has more than ${FORM_PARTS_MAX} fields and files: send fewer`;
      throw new DomainError('payload_too_large', message);
    }
    const content = body.subarray(Math.min(headEnd + 4, end), end);
    parts.push(partOf(body.toString('utf8', lineEnd, headEnd), content));
    at = end + between.length;
  }
}

function partOf(head: string, content: Uint8Array): Part {
  const [, disposition = ''] = /\r\ncontent-disposition:\s*form-data([^\r]*)/i.exec(head) ?? [];
  const name = parameterOf(disposition, 'name');
  if (name === undefined || name === '') throw malformed('a part has no name');
  const fileName = parameterOf(disposition, 'filename');
  if (fileName === undefined) return { name, value: textOf(name, content) };
  const [, type = 'application/octet-stream'] =
    /\r\ncontent-type:\s*([\w.+-]+\/[\w.+-]+)/i.exec(head) ?? [];
  return { name, value: new FormFile(content, fileName, type.toLowerCase()) };
}

function parameterOf(disposition: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]*))`, 'i').exec(
    disposition,
  );
  if (!found) return undefined;
  const [, quoted, plain = ''] = found;
  return (quoted?.replace(/\\(.)/g, '$1') ?? plain).slice(0, NAME_MAX_CHARACTERS);
}

/** @throws `invalid_request` for a text that the database can't store */
function textOf(name: string, bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed(`the field "${name}" is not valid UTF-8`);
  }
  if (text.includes('\0')) throw new DomainError('invalid_request', 'text must not contain U+0000');
  return text;
}

function fieldsOf(parts: readonly Part[]): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const { name, value } of parts) {
    const [, base = name, key] = /^([^[\]]+)\[([^[\]]*)\]/.exec(name) ?? [];
    const before = fields.get(base);
    if (key) fields.set(base, { ...(before as object | undefined), [key]: value });
    else if (key === undefined && before === undefined) fields.set(base, value);
    else fields.set(base, before === undefined ? [value] : [before, value].flat());
  }
  return Object.fromEntries(fields);
}

/** Files are digested by the runtime's threads: 30 MiB take 50 ms. */
async function digestOf(parts: readonly Part[]): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256');
  for (const { name, value } of parts) {
    const isText = typeof value === 'string';
    hash.update(JSON.stringify(isText ? [name, value] : [name, value.name, value.contentType]));
    if (!isText)
      hash.update(await crypto.subtle.digest('SHA-256', value.bytes as Uint8Array<ArrayBuffer>));
  }
  return hash.digest('hex');
}

/**
 * The fields with numbers, `true` and `false` where the schema wants them: a form contains only texts. Where the schema
 * wants a list, a single value becomes a list.
 */
export function typedFields(
  { shape }: z.ZodObject,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, value]): [string, unknown] => {
    const schema = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : undefined;
    if (!schema || schema.safeParse(value).success) return [name, value];
    if (typeof value === 'string' && /^(?:true|false|-?\d[\d.e+-]*)$/.test(value)) {
      const typed = value === 'true' || (value !== 'false' && Number(value));
      return [name, typed];
    }
    return schema.safeParse([value]).success ? [name, [value]] : [name, value];
  });
  return Object.fromEntries(entries);
}

function malformed(why: string): DomainError {
  return new DomainError('invalid_request', `the request body is not a valid form: ${why}`);
}
