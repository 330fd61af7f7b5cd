import { useSignal } from '@preact/signals';
import { call } from '../api/client.ts';
import type { User } from '../api/types.ts';
import { rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { Field } from '../ui/field.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { fieldsOf } from '../ui/submit.ts';

interface Asked {
  amount: string;
  reason: string;
  /** A repeat of the same top-up counts once. */
  key: string;
}

/** Tops up a balance, after the new balance was shown. */
export function Credit({ user, onDone }: { user: User; onDone: () => void }) {
  const words = t().admin;
  const asked = useSignal<Asked | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = fieldsOf(event.currentTarget as HTMLFormElement);
    error.value = undefined;
    asked.value = {
      amount: fields('amount').trim().replace(',', '.'),
      reason: fields('reason').trim(),
      key: crypto.randomUUID(),
    };
  };
  const confirmed = async () => {
    if (!asked.value) return;
    const { amount, reason, key: idempotencyKey } = asked.value;
    isBusy.value = true;
    try {
      const body = { login: user.login, amount, reason };
      await call('/admin/users/credit/', body, { idempotencyKey });
      asked.value = undefined;
      onDone();
    } catch (thrown) {
      error.value = thrown;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <>
      {error.value !== undefined && <ErrorProblem error={error.value} />}
      {asked.value ? (
        <div class="notice" role="group" aria-label={words.credit}>
          <p>{summaryOf(asked.value, user)}</p>
          <p>
            <button
              type="button"
              class="primary"
              disabled={isBusy.value}
              onClick={() => void confirmed()}
            >
              {words.confirm}
            </button>{' '}
            <button type="button" onClick={() => (asked.value = undefined)}>
              {t().cancel}
            </button>
          </p>
        </div>
      ) : (
        <form class="row" onSubmit={submit}>
          <Field
            label={words.amount}
            hint={words.amountHint}
            name="amount"
            inputMode="decimal"
            pattern="-?[0-9]+([.,][0-9]{1,6})?"
            autocomplete="off"
            required
          />
          <Field label={words.reason} name="reason" autocomplete="off" required />
          <button type="submit">{words.topUp}</button>
        </form>
      )}
    </>
  );
}

function summaryOf({ amount, reason }: Asked, user: User): string {
  const change = micro(Number(amount));
  return t().admin.summary(
    user.login,
    rubles(change),
    reason,
    rubles(micro(user.balance) + change),
  );
}
