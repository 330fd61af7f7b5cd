import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import {
  enterBreaks,
  isListOpen,
  shortcutList,
  singleKeys,
  switchEnter,
  switchSingleKeys,
} from './shortcuts.ts';

/** The list of keyboard shortcuts. */
export function ShortcutList() {
  const words = t().shortcuts;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isListOpen.value) dialog.current?.showModal();
  }, [isListOpen.value]);
  return (
    <dialog ref={dialog} aria-label={words.title} onClose={() => (isListOpen.value = false)}>
      <h2>{words.title}</h2>
      <dl class="keys">
        {shortcutList.map(([name, { keys }]) => (
          <div key={name}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words.names[name]}</dd>
          </div>
        ))}
      </dl>
      <p class="small">{words.byPlace}</p>
      <label class="check">
        <input
          type="checkbox"
          checked={singleKeys.value}
          onChange={(event) => switchSingleKeys(event.currentTarget.checked)}
        />
        {words.single}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={enterBreaks.value}
          onChange={(event) => switchEnter(event.currentTarget.checked)}
        />
        {words.enterBreaks}
      </label>
      <button type="button" onClick={() => dialog.current?.close()}>
        {words.close}
      </button>
    </dialog>
  );
}
