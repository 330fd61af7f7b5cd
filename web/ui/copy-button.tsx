import { useSignal } from '@preact/signals';
import { announce } from '../app/announcer.tsx';
import { t } from '../i18n/index.ts';

const SHOWN_MS = 2_000;

/** Copies a text, and says so for a moment. */
export function CopyButton({ text }: { text: string }) {
  const isCopied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    isCopied.value = true;
    announce(t().copied);
    setTimeout(() => (isCopied.value = false), SHOWN_MS);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {isCopied.value ? t().copied : t().copy}
    </button>
  );
}
