import { type Signal, useSignal } from '@preact/signals';
import { call } from '../api/client.ts';
import type { Data } from '../api/client.ts';
import { loadSession } from '../app/session.ts';
import { dateTime, number } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { OneTimeCode } from '../login/code-field.tsx';
import { loginErrorWords, PasswordField } from '../login/password-field.tsx';
import { useCountdown } from '../ui/countdown.ts';
import { Facts } from '../ui/facts.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { fieldsOf, useSubmit } from '../ui/submit.ts';
import { useAction } from '../ui/action.ts';

/** Recovery codes while they are shown; undefined if there are none to show. */
export type ShownCodes = Signal<readonly string[] | undefined>;

/**
 * The user's second factor: set-up, new recovery codes, removal. @param onCodes gets recovery codes, to be shown once
 */
export function SecondFactor({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const loaded = useLoaded((signal) => call('/account/second-factor/', {}, { signal }));
  return (
    <Show of={loaded}>
      {({ since, recovery_codes_left: left }) =>
        since === null ? (
          <SetUp onCodes={onCodes} />
        ) : (
          <Present since={since} left={left} onCodes={onCodes} onEnd={loaded.reload} />
        )
      }
    </Show>
  );
}

type Begun = Data<'/account/second-factor/begin/'>;

/** Begins with the password, and ends with the first code. */
export function SetUp({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const words = t().account.secondFactor;
  const begun = useSignal<Begun | undefined>(undefined);
  const { error, isBusy, onSubmit } = useSubmit(async (fields) => {
    if (begun.value === undefined) {
      begun.value = await call('/account/second-factor/begin/', { password: fields('password') });
      return;
    }
    const body = { code: fields('code') };
    onCodes((await call('/account/second-factor/confirm/', body)).recovery_codes);
  });
  return (
    <form onSubmit={onSubmit}>
      {begun.value === undefined ? (
        <>
          <p>{words.off}</p>
          <PasswordField />
        </>
      ) : (
        <>
          <p>{words.scan}</p>
          <QrCode of={begun.value.qr} />
          <ShownOnce words={words.secret} secret={begun.value.secret} />
          <OneTimeCode />
        </>
      )}
      <Refused error={error.value} />
      <button type="submit" disabled={isBusy.value}>
        {begun.value === undefined ? words.setUp : words.confirm}
      </button>
    </form>
  );
}

/** Light modules around a QR code, without which readers do not recognise it. */
const QUIET_ZONE = 4;

function QrCode({ of: { size, path } }: { of: Begun['qr'] }) {
  const side = size + 2 * QUIET_ZONE;
  const viewBox = `-${QUIET_ZONE} -${QUIET_ZONE} ${side} ${side}`;
  return (
    <svg class="qr" role="img" aria-label={t().account.secondFactor.qr} viewBox={viewBox}>
      <path d={path} />
    </svg>
  );
}

interface PresentProps {
  since: number;
  left: number;
  onCodes: (codes: readonly string[]) => void;
  onEnd: () => void;
}

/** Both changes need the password and a code. */
function Present({ since, left, onCodes, onEnd }: PresentProps) {
  const words = t().account.secondFactor;
  const { error, isBusy, run } = useAction();
  const change = (form: HTMLFormElement, work: (proof: Proof) => Promise<void>) => {
    const fields = fieldsOf(form);
    if (!form.reportValidity()) return;
    void run(() => work({ password: fields('password'), code: fields('code') }));
  };
  const newCodes = async (proof: Proof) =>
    onCodes((await call('/account/second-factor/recovery-codes/', proof)).recovery_codes);
  const end = async (proof: Proof) => {
    await call('/account/second-factor/end/', proof);
    // The role may need one.
    await loadSession();
    onEnd();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change(event.currentTarget, newCodes);
      }}
    >
      <Facts
        of={[
          [words.since, dateTime(since)],
          [words.left, number(left)],
        ]}
      />
      <PasswordField />
      <OneTimeCode hint={t().login.codeHint} />
      <Refused error={error.value} />
      <div class="tools">
        <button type="submit" disabled={isBusy.value}>
          {words.newCodes}
        </button>
        <button
          type="button"
          class="danger"
          disabled={isBusy.value}
          onClick={({ currentTarget: { form } }) => form && change(form, end)}
        >
          {words.end}
        </button>
      </div>
    </form>
  );
}

interface Proof {
  password: string;
  code: string;
}

function Refused({ error }: { error: unknown }) {
  const waitSeconds = useCountdown(error);
  if (error === undefined) return null;
  return (
    <p class="error" role="alert">
      {loginErrorWords(error, waitSeconds, t().login.wrongPassword)}
    </p>
  );
}
