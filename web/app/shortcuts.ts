import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { navigate } from './routes.ts';

/**
 * Shortcuts, by the position of their keys on the keyboard (`event.code`), so that they are the same in a Russian
 * layout. Those without Ctrl only work outside fields, and can be switched off.
 */
const shortcuts = {
  list: { code: 'Slash', shift: true, keys: ['?'] },
  search: { code: 'Slash', keys: ['/'] },
  chat: { code: 'KeyC', afterG: true, keys: ['G', 'C'] },
  spend: { code: 'KeyS', afterG: true, keys: ['G', 'S'] },
  trust: { code: 'KeyT', afterG: true, keys: ['G', 'T'] },
  account: { code: 'KeyA', afterG: true, keys: ['G', 'A'] },
  next: { code: 'KeyJ', keys: ['J'] },
  previous: { code: 'KeyK', keys: ['K'] },
  copyAnswer: { code: 'KeyY', keys: ['Y'] },
  rooms: { code: 'KeyK', ctrl: true, keys: ['Ctrl', 'K'] },
  newRoom: { code: 'KeyO', ctrl: true, shift: true, keys: ['Ctrl', 'Shift', 'O'] },
  copyCode: { code: 'Semicolon', ctrl: true, shift: true, keys: ['Ctrl', 'Shift', ';'] },
  stop: { code: 'Escape', everywhere: true, keys: ['Esc'] },
} as const satisfies Readonly<Record<string, Shortcut>>;

interface Shortcut {
  code: string;
  ctrl?: boolean;
  shift?: boolean;
  /** Whether G has to be pressed first. */
  afterG?: boolean;
  /** Whether it also works in fields. */
  everywhere?: boolean;
  /** The names of the keys in a Latin layout. */
  keys: readonly string[];
}

export type ShortcutName = keyof typeof shortcuts;

/** All shortcuts, in the order of the list. */
export const shortcutList = Object.entries(shortcuts) as [ShortcutName, Shortcut][];

const OFF_KEY = 'zastava-keys';

/** Whether single keys are shortcuts. */
export const singleKeys = signal(localStorage.getItem(OFF_KEY) !== 'off');
/** Whether the list of shortcuts is shown. */
export const isListOpen = signal(false);

/** The choice is stored in the browser. */
export function switchSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(OFF_KEY);
  else localStorage.setItem(OFF_KEY, 'off');
  singleKeys.value = on;
}

const ENTER_KEY = 'zastava-enter';

/** Whether Enter begins a new line and Shift+Enter sends, instead of the other way round. */
export const enterBreaks = signal(localStorage.getItem(ENTER_KEY) === 'breaks');

/** The choice is stored in the browser. */
export function switchEnter(breaks: boolean): void {
  if (breaks) localStorage.setItem(ENTER_KEY, 'breaks');
  else localStorage.removeItem(ENTER_KEY);
  enterBreaks.value = breaks;
}

type Handlers = Partial<Record<ShortcutName, () => void>>;

const always: Handlers = {
  list: () => (isListOpen.value = true),
  chat: () => navigate('chat'),
  spend: () => navigate('spend'),
  trust: () => navigate('trust'),
  account: () => navigate('account'),
};
let ofScreen: Handlers = {};

/** The actions of a screen's keys while it is shown. */
export function useShortcuts(handlers: Handlers): void {
  useEffect(() => {
    ofScreen = handlers;
    return () => void (ofScreen = {});
  });
}

let isAfterG = false;

/** Listens to the keys. */
export function startShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    const afterG = isAfterG;
    isAfterG = false;
    if (event.defaultPrevented || event.isComposing || event.altKey || event.repeat) return;
    // A dialog handles its own keys.
    if (event.target instanceof Element && event.target.closest('dialog')) return;
    const inField = isInField(event.target);
    const isSingle = !event.ctrlKey && !event.metaKey;
    const found = shortcutList.find(
      ([name, one]) =>
        one.code === event.code &&
        (one.ctrl ?? false) === !isSingle &&
        (one.shift ?? false) === event.shiftKey &&
        (one.afterG ?? false) === afterG &&
        (!isSingle || one.everywhere || (!inField && singleKeys.value)) &&
        (ofScreen[name] ?? always[name]) !== undefined,
    );
    if (found) {
      event.preventDefault();
      (ofScreen[found[0]] ?? always[found[0]])?.();
    } else {
      isAfterG = event.code === 'KeyG' && isSingle && !inField && singleKeys.value;
    }
  });
}

function isInField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select') !== null;
}
