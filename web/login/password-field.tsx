import { useSignal } from '@preact/signals';
import { ApiError } from '../api/client.ts';
import { number } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Field } from '../ui/field.tsx';
import { errorWords } from '../ui/states.tsx';

interface PasswordProps {
  /** Whether it is a new password; otherwise it is the current one. */
  isNew?: boolean;
  error?: string | undefined;
}

/** A password, which can be shown. */
export function PasswordField({ isNew = false, error }: PasswordProps) {
  const words = t().login;
  const isShown = useSignal(false);
  return (
    <>
      <Field
        label={words.password}
        name="password"
        type={isShown.value ? 'text' : 'password'}
        autocomplete={isNew ? 'new-password' : 'current-password'}
        error={error}
        {...(isNew && { hint: t().register.passwordHint, minLength: 8 })}
        required
      />
      <label class="check">
        <input
          type="checkbox"
          checked={isShown.value}
          onChange={(event) => (isShown.value = event.currentTarget.checked)}
        />
        {words.show}
      </label>
    </>
  );
}

/** @param wrong the words for wrong credentials */
export function loginErrorWords(error: unknown, waitSeconds: number, wrong: string): string {
  const words = t().login;
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'wrong_credentials') return wrong;
  if (code === 'code_required') return words.codeRequired;
  if (code === 'code_invalid') return words.codeInvalid;
  if (code === 'user_blocked') return words.blocked;
  if (code === 'too_many_attempts') return words.wait(number(waitSeconds));
  return errorWords(error).words;
}
