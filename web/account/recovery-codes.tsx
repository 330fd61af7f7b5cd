import { useSignal } from '@preact/signals';
import { loadSession, session } from '../app/session.ts';
import { t } from '../i18n/index.ts';
import { useAskBeforeLeaving } from '../ui/ask-before-leaving.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Title } from '../ui/title.tsx';
import { SetUp, type ShownCodes } from './second-factor.tsx';

/** Recovery codes, for printing, copying and saving: the server does not show them again. */
export function RecoveryCodes({ codes, onDone }: { codes: ShownCodes; onDone: () => void }) {
  const words = t().account.secondFactor;
  useAskBeforeLeaving(codes, t().codes.unsaved);
  const shown = codes.value ?? [];
  return (
    <>
      <Title name={words.codesOf(session.value?.login ?? '')} />
      <p class="notice" role="status">
        {words.once}
      </p>
      <p class="tools unprinted">
        <CopyButton text={shown.join('\n')} />
        <button type="button" onClick={() => print()}>
          {t().codes.print}
        </button>
        <button type="button" class="primary" onClick={onDone}>
          {t().codes.have}
        </button>
      </p>
      <ul class="sheet">
        {shown.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

/** For operators and admins who must have a second factor, and can do nothing before they set it up. */
export function RequiredFactor() {
  const words = t().account.secondFactor;
  const codes: ShownCodes = useSignal(undefined);
  if (codes.value !== undefined) {
    return <RecoveryCodes codes={codes} onDone={() => void loadSession().catch(() => undefined)} />;
  }
  return (
    <>
      <Title name={words.title} />
      <p>{words.required}</p>
      <SetUp onCodes={(fresh) => (codes.value = fresh)} />
    </>
  );
}
