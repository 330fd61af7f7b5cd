import type { ApiKey } from '../api/types.ts';
import { t } from '../i18n/index.ts';
import { dayOf, endOfDay } from '../lib/days.ts';
import { Field } from '../ui/field.tsx';
import { keyLimitsOf, LimitFields } from '../ui/limit-fields.tsx';
import { Modal } from '../ui/modal.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import type { KeyCalls } from './calls.ts';
import { TagField, tagsOf } from './tags.tsx';

interface KeyFormProps {
  apiKey: ApiKey;
  calls: KeyCalls;
  /** @param secret a new secret, which is shown once */
  onDone: (secret?: string) => void;
}

/** The limits, the expiry and the tags of one key, and a new secret for it. */
export function KeyDialog({ onClose, ...props }: KeyFormProps & { onClose: () => void }) {
  const { name } = props.apiKey;
  return (
    <Modal name={name} onClose={onClose}>
      <h2 dir="auto">{name}</h2>
      <LimitForm {...props} />
      <h3>{t().keys.rotate}</h3>
      <RotationForm {...props} />
      <button type="button" onClick={onClose}>
        {t().cancel}
      </button>
    </Modal>
  );
}

function LimitForm({ apiKey, calls, onDone }: KeyFormProps) {
  const words = t().keys;
  const until = dayOf(apiKey.expires_at);
  const { error, isBusy, onSubmit } = useSubmit(async (fields, form) => {
    const expires = fields('expires');
    await calls.change({
      id: apiKey.id,
      tags: tagsOf(fields('tags')),
      ...keyLimitsOf(form),
      // A key may expire in the middle of its last day.
      ...(expires !== until && { expires_at: endOfDay(expires) }),
    });
    onDone();
  });
  return (
    <form onSubmit={onSubmit}>
      <LimitFields limits={apiKey.limits} ofKey />
      <Field label={words.expires} name="expires" type="date" defaultValue={until} />
      <TagField tags={apiKey.tags} />
      <button type="submit" class="primary" disabled={isBusy.value}>
        {words.set}
      </button>
      <ErrorProblem error={error.value} />
    </form>
  );
}

function RotationForm({ apiKey, calls, onDone }: KeyFormProps) {
  const words = t().keys;
  const { error, isBusy, onSubmit } = useSubmit(async (fields) => {
    const until = fields('at-once') === '' ? endOfDay(fields('until')) : 0;
    const { key } = await calls.rotate({ id: apiKey.id, old_until: until });
    onDone(key);
  });
  return (
    <form onSubmit={onSubmit}>
      <Field label={words.oldUntil} hint={words.oldUntilHint} name="until" type="date" />
      <label class="check">
        <input type="checkbox" name="at-once" />
        {words.atOnce}
      </label>
      <button type="submit" disabled={isBusy.value}>
        {words.rotateNow}
      </button>
      <ErrorProblem error={error.value} />
    </form>
  );
}
