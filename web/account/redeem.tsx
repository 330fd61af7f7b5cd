import { useSignal } from '@preact/signals';
import { ApiError, call } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { number, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { useCountdown } from '../ui/countdown.ts';
import { Field } from '../ui/field.tsx';
import { errorWords } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';

/** Takes the code of a voucher. @param onDone the balance has changed */
export function Redeem({ onDone }: { onDone: () => void }) {
  const words = t().account.voucher;
  const done = useSignal<string | undefined>(undefined);
  const { error, isBusy, onSubmit } = useSubmit(async (fields, form) => {
    done.value = undefined;
    const { amount, balance } = await call('/account/redeem/', { code: fields('code') });
    done.value = words.done(rubles(micro(amount)), rubles(micro(balance)));
    announce(done.value);
    form.reset();
    onDone();
  });
  const waitSeconds = useCountdown(error.value);
  return (
    <>
      {done.value !== undefined && <p class="good">{done.value}</p>}
      <form class="row single" onSubmit={onSubmit}>
        <Field
          label={words.code}
          hint={words.hint}
          error={error.value === undefined ? undefined : wordsOf(error.value, waitSeconds)}
          name="code"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          required
        />
        <button type="submit" disabled={isBusy.value || waitSeconds > 0}>
          {words.redeem}
        </button>
      </form>
    </>
  );
}

function wordsOf(error: unknown, waitSeconds: number): string {
  const words = t().account.voucher;
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'too_many_attempts') return t().login.wait(number(waitSeconds));
  const known: Readonly<Record<string, string>> = words.errors;
  return known[code] ?? errorWords(error).words;
}
