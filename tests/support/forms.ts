/** Requests with files, as clients send them. */
import type { Gateway } from './gateway.ts';

type Value = string | number | boolean | Blob | readonly (string | Blob)[];
export type Fields = Readonly<Record<string, Value | undefined>>;

function isList(value: Value): value is readonly (string | Blob)[] {
  return Array.isArray(value);
}

/** A list becomes `name[]`, as the SDKs of OpenAI send it. */
export function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (isList(value)) for (const one of value) form.append(`${name}[]`, one as Blob);
    else if (value instanceof Blob) form.append(name, value);
    else form.append(name, String(value));
  }
  return form;
}

export function fileOf(bytes: Uint8Array, name: string, type: string): File {
  return new File([bytes], name, { type });
}

export function postForm(
  gateway: Pick<Gateway, 'fetch'>,
  path: string,
  fields: Fields,
  headers: Record<string, string>,
): Promise<Response> {
  return gateway.fetch(path, { method: 'POST', body: formOf(fields), headers });
}
