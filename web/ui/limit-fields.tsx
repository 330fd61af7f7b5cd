import { useSignal } from '@preact/signals';
import { call } from '../api/client.ts';
import type { KeyLimits, UserLimits } from '../api/types.ts';
import { dayZone } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { amountInput, amountOf } from './amount-input.ts';
import { Field } from './field.tsx';
import { useLoaded } from './loaded.tsx';
import { ErrorProblem } from './states.tsx';
import { fieldsOf } from './submit.ts';

interface LimitFieldsProps {
  /** The current limits; absent: no limits. */
  limits?: UserLimits | KeyLimits;
  /** Whether they are a key's limits, of which there are more. */
  ofKey?: boolean;
}

/** The fields of limits in a form. An empty field means no limit. */
export function LimitFields({ limits, ofKey = false }: LimitFieldsProps) {
  const words = t().account;
  const given: Partial<KeyLimits> = limits ?? {};
  const wholes = [
    ['requests_per_minute', words.requestsPerMinute],
    ['tokens_per_minute', words.tokensPerMinute],
  ] as const;
  const amounts = [
    ['rubles_per_day', words.rublesPerDay(dayZone.value)],
    ['rubles_per_month', words.rublesPerMonth(dayZone.value)],
    ['rubles_total', words.rublesTotal],
  ] as const;
  return (
    <>
      {wholes.map(([name, label]) => (
        <Field
          key={name}
          label={label}
          name={name}
          type="number"
          min={1}
          defaultValue={given[name] ?? ''}
        />
      ))}
      {amounts.slice(0, ofKey ? undefined : 1).map(([name, label]) => (
        <Field
          key={name}
          label={label}
          name={name}
          {...amountInput}
          defaultValue={given[name] ?? ''}
        />
      ))}
      <ModelFields chosen={given.models ?? []} />
    </>
  );
}

/** A choice of models, which are requested when it is opened. */
function ModelFields({ chosen }: { chosen: readonly number[] }) {
  const isOpened = useSignal(chosen.length > 0);
  return (
    <details
      open={isOpened.value}
      onToggle={(event) => (isOpened.value ||= event.currentTarget.open)}
    >
      <summary>{t().account.models}</summary>
      {isOpened.value && <ModelChoices chosen={chosen} />}
    </details>
  );
}

/** The chosen models are in the form before all models are loaded. */
function ModelChoices({ chosen }: { chosen: readonly number[] }) {
  const { data, error, reload } = useLoaded((signal) => call('/ai/settings/', {}, { signal }));
  const names = new Map(chosen.map((id) => [id, String(id)]));
  for (const { id, description, model } of data.value?.ai ?? []) {
    names.set(id, description === '' ? model : description);
  }
  return (
    <>
      <p class="hint">{t().account.allModels}</p>
      <ErrorProblem error={error.value} onAct={reload} />
      <div class="listed">
        {Array.from(names, ([id, name]) => (
          <label key={id} class="check">
            <input type="checkbox" name="models" value={id} defaultChecked={chosen.includes(id)} />
            <span dir="auto">{name}</span>
          </label>
        ))}
      </div>
    </>
  );
}

/** Reads the limits of a user from a form. */
export function limitsOf(form: HTMLFormElement) {
  const fields = fieldsOf(form);
  const whole = (name: string) => (fields(name) === '' ? null : Number(fields(name)));
  const models = new FormData(form).getAll('models').map(Number);
  return {
    requests_per_minute: whole('requests_per_minute'),
    tokens_per_minute: whole('tokens_per_minute'),
    rubles_per_day: amountOf(fields('rubles_per_day')),
    models: models.length === 0 ? null : models,
  };
}

/** Reads the limits of a key from a form. */
export function keyLimitsOf(form: HTMLFormElement) {
  const fields = fieldsOf(form);
  return {
    ...limitsOf(form),
    rubles_per_month: amountOf(fields('rubles_per_month')),
    rubles_total: amountOf(fields('rubles_total')),
  };
}
