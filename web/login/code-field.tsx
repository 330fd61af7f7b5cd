import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { t } from '../i18n/index.ts';
import { Field } from '../ui/field.tsx';

const codes = ['code_required', 'code_invalid'];

/**
 * The code of the second factor. @param error of the last attempt: the field appears once the server has asked for a
 * code
 */
export function CodeField({ error }: { error: unknown }) {
  const isAsked = useRef(false);
  if (error instanceof ApiError && codes.includes(error.code)) isAsked.current = true;
  return isAsked.current ? <AskedCode /> : null;
}

function AskedCode() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={place}>
      <OneTimeCode hint={t().login.codeHint} />
    </div>
  );
}

export function OneTimeCode({ hint }: { hint?: string }) {
  return (
    <Field
      label={t().login.code}
      {...(hint !== undefined && { hint })}
      name="code"
      autocomplete="one-time-code"
      autocapitalize="none"
      spellcheck={false}
      required
    />
  );
}
