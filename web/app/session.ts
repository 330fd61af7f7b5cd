import { signal } from '@preact/signals';
import { call, onSessionEnd } from '../api/client.ts';
import type { PageSession } from '../api/types.ts';

/** Undefined until the server has said who is logged in; null: nobody is. */
export const session = signal<PageSession | null | undefined>(undefined);
/** True if the session has ended while the page was in use: the page stays, and asks for the password on top of it. */
export const hasEnded = signal(false);

/** Other tabs of this browser share the cookie, and so the session. */
const tabs = new BroadcastChannel('zastava-session');

function tellTabs(word: 'entered' | 'left'): void {
  // The rule is for windows, whose messages need a target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabs.postMessage(word);
}

/** Asks the server who is logged in. @throws ApiError if there is no answer */
export async function loadSession(): Promise<void> {
  const answer = await call('/auth/session/show/', {});
  session.value = answer.session;
}

/** @throws ApiError */
export async function logIn(login: string, password: string, code = ''): Promise<void> {
  const before = session.value?.login;
  const entered = await call('/auth/session/', { login, password, code });
  hasEnded.value = false;
  // One user's screens must not stay for another user.
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

/** Loading the page from the server leaves nothing of the user in it. */
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
