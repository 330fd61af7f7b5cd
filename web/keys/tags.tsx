import { t } from '../i18n/index.ts';
import { Field } from '../ui/field.tsx';

/** The words with which users group keys. */
export function TagField({ tags = [] }: { tags?: readonly string[] }) {
  const words = t().keys;
  return (
    <Field
      label={words.tags}
      hint={words.tagsHint}
      name="tags"
      autocomplete="off"
      autocapitalize="none"
      defaultValue={tags.join(' ')}
    />
  );
}

/** @returns null if there are none */
export function tagsOf(typed: string): string[] | null {
  const tags = typed.split(/[\s,]+/).filter((tag) => tag !== '');
  return tags.length === 0 ? null : tags;
}
