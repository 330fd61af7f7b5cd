import { call } from '../api/client.ts';
import { endOfDay } from '../lib/days.ts';
import { amountInput, amountOf } from '../ui/amount-input.ts';
import { Field } from '../ui/field.tsx';
import { LimitFields, limitsOf } from '../ui/limit-fields.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import type { MadeInvitation } from './invitations.tsx';
import { w } from './words/index.ts';

/** They are made one at a time. */
const COUNT_MAX = 100;
/** The server's limit. */
const USES_MAX = 100_000;

/** Makes one invitation for many users, or many for one user each. */
export function NewInvitations({ onMade }: { onMade: (made: MadeInvitation[]) => void }) {
  const words = w().invitations;
  const { count, expires, note } = w().vouchers;
  const { error, isBusy, onSubmit } = useSubmit(async (fields, form) => {
    const body = {
      uses: Number(fields('uses')),
      credit: amountOf(fields('credit')),
      ...limitsOf(form),
      expires_at: endOfDay(fields('expires')),
      note: fields('note'),
    };
    const made: MadeInvitation[] = [];
    try {
      for (let left = Number(fields('count')); left > 0; left--) {
        made.push(await call('/admin/invitations/create/', body));
      }
    } catch (thrown) {
      // The codes of the invitations already made would not be shown again.
      if (made.length === 0) throw thrown;
    }
    onMade(made);
  });
  const whole = { type: 'number', min: 1, defaultValue: '1', required: true } as const;
  return (
    <form class="row" onSubmit={onSubmit}>
      <Field label={count} name="count" {...whole} max={COUNT_MAX} />
      <Field label={words.usesEach} name="uses" {...whole} max={USES_MAX} />
      <Field label={words.creditEach} name="credit" {...amountInput} />
      <Field label={expires} name="expires" type="date" />
      <Field label={note} name="note" maxLength={200} autocomplete="off" />
      <details>
        <summary>{w().limits.title}</summary>
        <div class="row">
          <LimitFields />
        </div>
      </details>
      <button type="submit" disabled={isBusy.value}>
        {words.make}
      </button>
      <ErrorProblem error={error.value} />
    </form>
  );
}
