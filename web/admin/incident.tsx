import { useSignal } from '@preact/signals';
import { type Body, call, type Data } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { dateTime, number, rubles } from '../i18n/format.ts';
import { micro } from '../lib/money.ts';
import { useAction } from '../ui/action.ts';
import { Facts } from '../ui/facts.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import { Title } from '../ui/title.tsx';
import { w } from './words/index.ts';

type RefundRequest = Body<'/admin/refunds/'>;
type Found = Data<'/admin/refunds/'>;
type Version = Data<'/admin/catalogue/versions/'>['versions'][number];

/** Refunds what a model charged between two moments: first the sum is shown, then it is refunded. */
export function Incident() {
  const words = w();
  const { incident } = words;
  const seen = useSignal<{ request: RefundRequest; found: Found } | undefined>(undefined);
  const versions = useSignal<readonly Version[]>([]);
  const list = async (id: number) => {
    versions.value = (await call('/admin/catalogue/versions/', { id })).versions;
  };
  const look = async (request: RefundRequest) => {
    seen.value = { request, found: await call('/admin/refunds/', { ...request, dry_run: true }) };
  };
  const { error, isBusy, onSubmit } = useSubmit((fields) =>
    look({
      model_id: Number(fields('model')),
      from: secondsOf(fields('from')),
      to: secondsOf(fields('to')),
      login: fields('login').trim() || undefined,
      percent: Number(fields('percent')),
      price_version: fields('version') === '' ? undefined : Number(fields('version')),
      reason: fields('reason').trim(),
    }),
  );
  const moment = { type: 'datetime-local', step: 1, required: true };
  return (
    <>
      <Title name={incident.title} />
      <p>{incident.intro}</p>
      <form onSubmit={onSubmit} onInput={() => (seen.value = undefined)}>
        <div class="row">
          <Field
            label={incident.model}
            name="model"
            type="number"
            min={0}
            required
            onChange={(event) =>
              void list(Number(event.currentTarget.value)).catch(() => undefined)
            }
          />
          <Field label={words.sums.from} name="from" {...moment} />
          <Field label={incident.before} name="to" {...moment} />
        </div>
        <div class="row">
          <Field
            label={incident.percent}
            hint={incident.percentHint}
            name="percent"
            type="number"
            min={0.01}
            max={100}
            step={0.01}
            defaultValue="100"
            required
          />
          <Field
            label={incident.version}
            hint={incident.versionHint}
            name="version"
            type="number"
            min={1}
            list="versions"
          />
          <PriceList of={versions.value} />
          <Field label={words.report.onlyLogin} name="login" autocomplete="off" />
        </div>
        <Field label={words.reason} name="reason" autocomplete="off" pattern=".*\S.*" required />
        <button type="submit" class="primary" disabled={isBusy.value}>
          {incident.look}
        </button>
        <ErrorProblem error={error.value} />
      </form>
      {seen.value && <Due {...seen.value} onGiven={look} />}
    </>
  );
}

/** What the browser offers in the field: the versions of the model by their dates and prices. */
function PriceList({ of: versions }: { of: readonly Version[] }) {
  return (
    <datalist id="versions">
      {versions.map(({ version, valid_from: since, model }) => (
        <option key={version} value={version}>
          {`${dateTime(since)}: ${model.cost_input_tokens_rub} / ${model.cost_output_tokens_rub}`}
        </option>
      ))}
    </datalist>
  );
}

interface DueProps {
  request: RefundRequest;
  found: Found;
  onGiven: (request: RefundRequest) => Promise<void>;
}

/** What would be given back, and the button that does it. */
function Due({ request, found, onGiven }: DueProps) {
  const { incident } = w();
  const { error, isBusy, run } = useAction();
  const give = () =>
    run(async () => {
      const given = await call('/admin/refunds/', request);
      announce(incident.given(rubles(micro(given.amount)), number(given.messages)));
      // One call refunds only a limited number of messages. What is left is shown.
      await onGiven(request);
    });
  return (
    <section aria-label={incident.due}>
      <Facts
        of={[
          [incident.messages, number(found.messages)],
          [incident.users, number(found.users)],
          [incident.charged, rubles(micro(found.charge))],
          [incident.earlier, rubles(micro(found.refunded))],
          [incident.due, rubles(micro(found.amount))],
        ]}
      />
      {!found.complete && <p>{incident.open(number(found.running))}</p>}
      <ErrorProblem error={error.value} />
      {found.messages > 0 && (
        <button type="button" class="danger" disabled={isBusy.value} onClick={() => void give()}>
          {incident.give(rubles(micro(found.amount)))}
        </button>
      )}
    </section>
  );
}

/** @param local a moment in the browser's zone @returns Unix time */
function secondsOf(local: string): number {
  return Math.floor(new Date(local).getTime() / 1000);
}
