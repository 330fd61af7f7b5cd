import { useSignal } from '@preact/signals';
import type { ApiKey } from '../api/types.ts';
import { t } from '../i18n/index.ts';
import { endOfDay } from '../lib/days.ts';
import { useAction } from '../ui/action.ts';
import { useAskBeforeLeaving } from '../ui/ask-before-leaving.ts';
import { Choice } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { keyLimitsOf, LimitFields } from '../ui/limit-fields.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import type { KeyCalls } from './calls.ts';
import { KeyDialog } from './key-dialog.tsx';
import { KeyTable } from './key-table.tsx';
import { TagField, tagsOf } from './tags.tsx';

interface KeysProps {
  calls: KeyCalls;
  /** The role of the user who owns the keys. */
  role: 'user' | 'operator' | 'admin';
}

/** The API keys of a user: creation, limits, rotation, revocation. Secrets are shown once. */
export function Keys({ calls, role }: KeysProps) {
  const words = t().keys;
  const { error, run } = useAction();
  const fresh = useSignal<string | undefined>(undefined);
  const opened = useSignal<ApiKey | undefined>(undefined);
  const loaded = useLoaded(calls.list);
  useAskBeforeLeaving(fresh, words.unsaved);
  const take = (secret?: string) => {
    fresh.value = secret ?? fresh.value;
    opened.value = undefined;
    loaded.reload();
  };
  const revoke = ({ id, name }: ApiKey) => {
    if (!confirm(words.confirmRevoke(name))) return;
    void run(async () => {
      await calls.revoke(id);
      take();
    });
  };
  return (
    <>
      {fresh.value !== undefined && (
        <>
          <ShownOnce words={words.once} secret={fresh.value} />
          <p>
            <button type="button" onClick={() => (fresh.value = undefined)}>
              {words.saved}
            </button>
          </p>
        </>
      )}
      <ErrorProblem error={error.value} />
      <NewKey calls={calls} role={role} onMade={take} />
      <Show of={loaded}>
        {(keys) =>
          keys.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <KeyTable keys={keys} onOpen={(key) => (opened.value = key)} onRevoke={revoke} />
          )
        }
      </Show>
      {opened.value && (
        <KeyDialog
          apiKey={opened.value}
          calls={calls}
          onDone={take}
          onClose={() => (opened.value = undefined)}
        />
      )}
    </>
  );
}

function NewKey({ calls, role, onMade }: KeysProps & { onMade: (secret: string) => void }) {
  const words = t().keys;
  const { error, isBusy, onSubmit } = useSubmit(async (fields, form) => {
    const { key } = await calls.create({
      name: fields('name'),
      scope: fields('scope') as ApiKey['scope'],
      expires_at: endOfDay(fields('expires')),
      tags: tagsOf(fields('tags')),
      ...keyLimitsOf(form),
    });
    form.reset();
    onMade(key);
  });
  const { chat, trust, full, credit, operator, admin } = words.scopes;
  const scopes: Readonly<Record<string, string>> = {
    chat,
    trust,
    full,
    ...(role !== 'user' && { credit, operator }),
    ...(role === 'admin' && { admin }),
  };
  return (
    <form class="row" onSubmit={onSubmit}>
      <Field label={words.name} name="name" maxLength={100} autocomplete="off" required />
      <Choice label={words.scope} name="scope" options={scopes} />
      <Field label={words.expires} name="expires" type="date" />
      <details>
        <summary>{words.limitsAndTags}</summary>
        <div class="row">
          <LimitFields ofKey />
          <TagField />
        </div>
      </details>
      <button type="submit" disabled={isBusy.value}>
        {words.create}
      </button>
      <ErrorProblem error={error.value} />
    </form>
  );
}
