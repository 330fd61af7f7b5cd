import { useSignal } from '@preact/signals';
import { call } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { amountInput, amountOf } from '../ui/amount-input.ts';
import { Field } from '../ui/field.tsx';
import { LimitFields, limitsOf } from '../ui/limit-fields.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import type { ShownUser } from './user.tsx';
import { w } from './words/index.ts';

/** The credit limit and the limits of one user. An empty field means no limit. */
export function UserLimits({ user, onDone }: { user: ShownUser; onDone: () => void }) {
  const words = w().limits;
  const { login, limits } = user;
  const isDone = useSignal(false);
  const { error, isBusy, onSubmit } = useSubmit(async (fields, form) => {
    isDone.value = false;
    await call('/admin/users/limit/', { login, limit: amountOf(fields('credit')) ?? '0' });
    await call('/admin/users/quota/', { login, ...limitsOf(form) });
    isDone.value = true;
    announce(words.done);
    onDone();
  });
  return (
    <form class="row" onSubmit={onSubmit}>
      <Field
        label={words.creditLimit}
        hint={words.creditLimitHint}
        name="credit"
        {...amountInput}
        defaultValue={String(user.credit_limit)}
      />
      <LimitFields limits={limits} />
      <button type="submit" disabled={isBusy.value}>
        {words.set}
      </button>
      <ErrorProblem error={error.value} />
      {isDone.value && <p class="good">{words.done}</p>}
    </form>
  );
}
