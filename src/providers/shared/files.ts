import type { SentFile } from '../spec.ts';
import type { JsonRecord } from './wire.ts';

/** A form of fields and files. Fields that are undefined are left out. */
export function formOf(
  fields: JsonRecord,
  files: readonly (readonly [name: string, file: SentFile])[],
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else if (value !== undefined) form.append(name, JSON.stringify(value));
  }
  for (const [name, { bytes, name: fileName, contentType }] of files) {
    const blob = new Blob([bytes], { type: contentType });
    form.append(name, blob, fileName);
  }
  return form;
}
