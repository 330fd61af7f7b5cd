import { useSignal } from '@preact/signals';
import { call } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { rubles } from '../i18n/format.ts';
import { language, t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { useAction } from '../ui/action.ts';
import { Field } from '../ui/field.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { fieldsOf } from '../ui/submit.ts';
import { amountInWords } from './amount-words.ts';
import type { ShownUser } from './user.tsx';
import { w } from './words/index.ts';

interface TopUp {
  amount: string;
  reason: string;
  /** A repetition of the same top-up counts once. */
  key: string;
}

/** Tops up a balance, after showing the amount in words and the new balance. */
export function Credit({ user, onDone }: { user: ShownUser; onDone: () => void }) {
  const words = w();
  const entered = useSignal<TopUp | undefined>(undefined);
  const { error, isBusy, run } = useAction();
  const done = useSignal<string | undefined>(undefined);
  const confirmed = async () => {
    if (!entered.value || isBusy.value) return;
    const { amount, reason, key: idempotencyKey } = entered.value;
    await run(async () => {
      const body = { login: user.login, amount, reason };
      const booked = await call('/admin/users/credit/', body, { idempotencyKey });
      done.value = words.booked(rubles(micro(booked.amount)), rubles(micro(booked.balance)));
      announce(done.value);
      entered.value = undefined;
      onDone();
    });
  };
  const enter = (next: TopUp | undefined) => {
    error.value = undefined;
    done.value = undefined;
    entered.value = next;
  };
  return (
    <>
      <ErrorProblem error={error.value} />
      {done.value !== undefined && <p class="good">{done.value}</p>}
      {entered.value ? (
        <div class="notice" role="group" aria-label={words.credit}>
          <Summary entered={entered.value} user={user} />
          <p>
            <button
              type="button"
              class="primary"
              disabled={isBusy.value}
              ref={(button) => button?.focus()}
              onClick={() => void confirmed()}
            >
              {words.confirm}
            </button>{' '}
            <button type="button" onClick={() => enter(undefined)}>
              {t().cancel}
            </button>
          </p>
        </div>
      ) : (
        <Form onEntered={enter} />
      )}
    </>
  );
}

function Form({ onEntered }: { onEntered: (entered: TopUp) => void }) {
  const words = w();
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = fieldsOf(event.currentTarget);
        onEntered({
          amount: fields('amount').trim().replace(',', '.'),
          reason: fields('reason').trim(),
          key: crypto.randomUUID(),
        });
      }}
    >
      <Field
        label={words.amount}
        hint={words.amountHint}
        name="amount"
        inputMode="decimal"
        pattern="\s*-?[0-9]{1,10}([.,][0-9]{1,6})?\s*"
        autocomplete="off"
        required
      />
      <Field label={words.reason} name="reason" autocomplete="off" pattern=".*\S.*" required />
      <button type="submit">{words.topUp}</button>
    </form>
  );
}

function Summary({ entered: { amount, reason }, user }: { entered: TopUp; user: ShownUser }) {
  const words = w();
  const change = micro(Number(amount));
  const balance = micro(user.balance) + change;
  return (
    <>
      <p>{words.summary(user.login, rubles(change), reason, rubles(balance))}</p>
      <p>{`${words.inWords}: ${amountInWords(change, language.value)}`}</p>
    </>
  );
}
