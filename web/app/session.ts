import { signal } from '@preact/signals';
import { call, onSessionEnd } from '../api/client.ts';
import type { PageSession } from '../api/types.ts';

/** Undefined until the server has said who is logged in; null: nobody. */
export const session = signal<PageSession | null | undefined>(undefined);
/** True when the session has ended while the page was in use: the page stays, and asks for the password over it. */
export const hasEnded = signal(false);

/** Other tabs of this browser share the cookie, and so the session. */
const tabs = new BroadcastChannel('zastava-session');

function tellTabs(word: 'entered' | 'left'): void {
  // The rule is for windows, whose messages need a target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabs.postMessage(word);
}

/** Asks the server who is logged in. @throws ApiError if it can't be asked */
export async function loadSession(): Promise<void> {
  const answer = await call('/auth/session/show/', {});
  session.value = answer.session;
}

/** @throws ApiError */
export async function logIn(login: string, password: string, code = ''): Promise<void> {
  const before = session.value?.login;
  const entered = await call('/auth/session/', { login, password, code });
  hasEnded.value = false;
  // The screens of one user must not stay for another.
  if (before !== undefined && before !== entered.login) location.reload();
  session.value = entered;
  tellTabs('entered');
}

export async function logOut(): Promise<void> {
  try {
    await call('/auth/session/end/', {});
  } finally {
    tellTabs('left');
    leave();
  }
}

/** A load from the server leaves nothing of the user in the page. */
function leave(): void {
  sessionStorage.clear();
  location.assign('/app/login');
}

onSessionEnd.handle = () => {
  if (session.value) hasEnded.value = true;
};

tabs.addEventListener('message', ({ data }) => {
  if (data === 'left') leave();
  else if (hasEnded.value || !session.value) location.reload();
});
