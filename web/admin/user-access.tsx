import { useSignal } from '@preact/signals';
import { call, post } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { navigate } from '../app/routes.ts';
import { t } from '../i18n/index.ts';
import { saveFile } from '../lib/save-file.ts';
import { useAction } from '../ui/action.ts';
import { Choice } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import type { ShownUser } from './user.tsx';
import { roleNames, rolesToGive } from './roles.ts';
import { w } from './words/index.ts';

interface AccessProps {
  user: ShownUser;
  /** Admins can neither block nor erase themselves. */
  isSelf: boolean;
  onDone: () => void;
}

/** Password, export, blocking and erasure of one user. */
export function Access({ user, isSelf, onDone }: AccessProps) {
  const words = w();
  return (
    <>
      <h2>{words.password}</h2>
      <NewPassword login={user.login} />
      <h2>{words.access}</h2>
      <BlockAndExport user={user} isSelf={isSelf} onDone={onDone} />
      {!isSelf && (
        <>
          <h2>{words.role}</h2>
          <RoleForm user={user} onDone={onDone} />
          <h2>{words.erase}</h2>
          <Erase login={user.login} />
        </>
      )}
    </>
  );
}

function RoleForm({ user, onDone }: Pick<AccessProps, 'user' | 'onDone'>) {
  const words = w();
  const chosen = useSignal<string>(user.role);
  const { error, isBusy, onSubmit } = useSubmit(async () => {
    const role = rolesToGive().find((one) => one === chosen.value) ?? user.role;
    await call('/admin/users/role/', { login: user.login, role });
    onDone();
  });
  return (
    <form class="row" onSubmit={onSubmit}>
      <Choice
        label={words.role}
        options={roleNames()}
        value={chosen.value}
        onPick={(role) => (chosen.value = role)}
      />
      <button type="submit" disabled={isBusy.value || chosen.value === user.role}>
        {words.setRole}
      </button>
      <ErrorProblem error={error.value} />
    </form>
  );
}

function NewPassword({ login }: { login: string }) {
  const words = w();
  const isDone = useSignal(false);
  const { error, onSubmit } = useSubmit(async (fields, form) => {
    isDone.value = false;
    const body = { login, password: fields('password'), must_change_password: true };
    await call('/admin/users/password/', body);
    isDone.value = true;
    form.reset();
  });
  return (
    <form class="row" onSubmit={onSubmit}>
      <Field
        label={words.newPassword}
        hint={words.newPasswordHint}
        name="password"
        minLength={8}
        autocomplete="off"
        required
      />
      <button type="submit">{words.setPassword}</button>
      <ErrorProblem error={error.value} />
      {isDone.value && <p role="status">{words.passwordSet}</p>}
    </form>
  );
}

function BlockAndExport({ user, isSelf, onDone }: AccessProps) {
  const words = w();
  const { login } = user;
  const { error, run } = useAction();
  const change = async () => {
    if (!user.is_blocked && !confirm(words.confirmBlock(login))) return;
    await call(user.is_blocked ? '/admin/users/unblock/' : '/admin/users/block/', { login });
    onDone();
  };
  const resetFactor = async () => {
    await call('/admin/users/second-factor/reset/', { login });
    announce(t().account.sessionEnded);
  };
  const save = async () => {
    const answer = await post('/admin/users/export/', { login });
    saveFile(`${login}.json`, await answer.blob());
  };
  return (
    <>
      <ErrorProblem error={error.value} />
      <p class="tools">
        <button type="button" onClick={() => void run(save)}>
          {words.exportAll}
        </button>
        {!isSelf && (
          <>
            <button type="button" onClick={() => void run(resetFactor)}>
              {words.resetFactor}
            </button>
            <button type="button" onClick={() => void run(change)}>
              {user.is_blocked ? words.unblock : words.block}
            </button>
          </>
        )}
      </p>
    </>
  );
}

/** This can't be undone, so the login has to be typed. */
function Erase({ login }: { login: string }) {
  const words = w();
  const typed = useSignal('');
  const { error, isBusy, onSubmit } = useSubmit(async () => {
    const erased = await call('/admin/users/erase/', { login });
    announce(words.erasedAs(erased.login));
    navigate(`admin/users/${erased.login}`, { replace: true });
  });
  return (
    <form onSubmit={onSubmit}>
      <ErrorProblem error={error.value} />
      <Field
        label={words.login}
        hint={words.eraseHint(login)}
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
        autocomplete="off"
        autocapitalize="none"
      />
      <button
        type="submit"
        class="danger"
        disabled={typed.value.normalize('NFC') !== login || isBusy.value}
      >
        {words.eraseNow}
      </button>
    </form>
  );
}
