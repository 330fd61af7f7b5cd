import { useSignal } from '@preact/signals';
import { call } from '../api/client.ts';
import { amountInput, amountOf } from '../ui/amount-input.ts';
import { Choice } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import { roleNames, rolesToGive } from './roles.ts';
import { w } from './words/index.ts';

/** Adds a user. A generated password is shown once. */
export function NewUser({ onAdded }: { onAdded: () => void }) {
  const words = w();
  const made = useSignal<{ login: string; password: string } | undefined>(undefined);
  const { error, isBusy, onSubmit } = useSubmit(async (fields, form) => {
    const { user, password } = await call('/admin/users/add/', {
      login: fields('login'),
      credit: amountOf(fields('credit')),
      role: rolesToGive().find((role) => role === fields('role')),
      must_change_password: true,
    });
    made.value = { login: user.login, password: password ?? '' };
    form.reset();
    onAdded();
  });
  return (
    <details>
      <summary>{words.list.add}</summary>
      {made.value && (
        <ShownOnce words={words.passwordOnce(made.value.login)} secret={made.value.password} />
      )}
      <ErrorProblem error={error.value} />
      <form class="row" onSubmit={onSubmit}>
        <Field
          label={words.newLogin}
          name="login"
          autocapitalize="none"
          autocomplete="off"
          required
        />
        <Field label={words.opening} name="credit" {...amountInput} />
        <Choice label={words.role} name="role" options={roleNames()} />
        <button type="submit" disabled={isBusy.value}>
          {words.add}
        </button>
      </form>
    </details>
  );
}
