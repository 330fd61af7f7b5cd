import { dayZone } from '../i18n/format.ts';
import { useSignal } from '@preact/signals';
import { call } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import type { ShownUser } from './user.tsx';
import { w } from './words/index.ts';

function text(value: number | null): string {
  return value === null ? '' : String(value);
}

/** The credit limit and the limits of one user. An empty field is no limit. */
export function UserLimits({ user, onDone }: { user: ShownUser; onDone: () => void }) {
  const words = w().limits;
  const { login, limits } = user;
  const isDone = useSignal(false);
  const { error, isBusy, onSubmit } = useSubmit(async (fields) => {
    isDone.value = false;
    const whole = (name: string) => (fields(name) === '' ? null : Number(fields(name)));
    const amount = (name: string) => fields(name).trim().replace(',', '.') || null;
    const ids = fields('models')
      .split(/[\s,]+/)
      .filter((id) => id !== '');
    await call('/admin/users/limit/', { login, limit: amount('credit') ?? '0' });
    await call('/admin/users/quota/', {
      login,
      requests_per_minute: whole('requests'),
      tokens_per_minute: whole('tokens'),
      rubles_per_day: amount('rubles'),
      models: ids.length === 0 ? null : ids.map(Number),
    });
    isDone.value = true;
    announce(words.done);
    onDone();
  });
  const amountField = { inputMode: 'decimal', pattern: '[0-9]+([.,][0-9]{1,6})?' } as const;
  return (
    <form class="row" onSubmit={onSubmit}>
      <Field
        label={words.creditLimit}
        hint={words.creditLimitHint}
        name="credit"
        {...amountField}
        defaultValue={String(user.credit_limit)}
      />
      <Field
        label={words.requests}
        name="requests"
        type="number"
        min={1}
        defaultValue={text(limits.requests_per_minute)}
      />
      <Field
        label={words.tokens}
        name="tokens"
        type="number"
        min={1}
        defaultValue={text(limits.tokens_per_minute)}
      />
      <Field
        label={words.rubles(dayZone.value)}
        name="rubles"
        {...amountField}
        defaultValue={text(limits.rubles_per_day)}
      />
      <Field
        label={words.models}
        hint={words.modelsHint}
        name="models"
        inputMode="numeric"
        pattern="[0-9\s,]*"
        defaultValue={limits.models?.join(' ') ?? ''}
      />
      <button type="submit" disabled={isBusy.value}>
        {words.set}
      </button>
      <ErrorProblem error={error.value} />
      {isDone.value && <p class="good">{words.done}</p>}
    </form>
  );
}
