import { announce } from '../app/announcer.tsx';
import { navigate } from '../app/routes.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { t } from '../i18n/index.ts';
import { writeClipboard } from '../ui/copy-button.tsx';
import type { Conversation } from './conversation.ts';

/** The actions of keys in the chat. */
export function useChatKeys(conversation: Conversation | undefined, openRooms: () => void): void {
  useShortcuts({
    rooms: () => {
      openRooms();
      // After the list is shown.
      requestAnimationFrame(() => document.querySelector<HTMLElement>('.rooms a')?.focus());
    },
    search: () => {
      openRooms();
      requestAnimationFrame(() => document.querySelector<HTMLElement>('.rooms input')?.focus());
    },
    newRoom: () => navigate('chat'),
    next: () => step(1),
    previous: () => step(-1),
    copyAnswer: () => copy(messageNow(conversation)?.response),
    copyCode: () => copy([...document.querySelectorAll('.answer pre code')].at(-1)?.textContent),
    stop: () => void conversation?.stop().catch(() => undefined),
  });
}

/** Moves the focus from message to message; from elsewhere to the last one. */
function step(by: 1 | -1): void {
  const messages = [...document.querySelectorAll<HTMLElement>('article.turn')];
  const at = messages.findIndex((one) => one.contains(document.activeElement));
  const next = at === -1 ? messages.at(-1) : messages[at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** The message that has the focus, or else the last one. */
function messageNow(conversation: Conversation | undefined) {
  const focused = document.activeElement?.closest<HTMLElement>('article.turn')?.dataset['key'];
  const turns = conversation?.window.all.value;
  return turns?.find(({ key }) => key === focused) ?? turns?.at(-1);
}

function copy(text: string | null | undefined): void {
  if (!text) return;
  void writeClipboard(text).then(() => announce(t().copied));
}
