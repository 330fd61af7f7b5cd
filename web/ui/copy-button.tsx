import { useSignal } from '@preact/signals';
import { announce } from '../app/announcer.tsx';
import { t } from '../i18n/index.ts';

const SHOWN_MS = 2_000;

interface CopyProps {
  text: string;
  /** The name of what the button copies, if a page has several. */
  name?: string;
  /** What it belongs to, for screen readers. */
  about?: string;
}

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, name, about }: CopyProps) {
  const isCopied = useSignal(false);
  const copy = async () => {
    await writeClipboard(text);
    isCopied.value = true;
    announce(t().copied);
    setTimeout(() => (isCopied.value = false), SHOWN_MS);
  };
  const shown = name ?? t().copy;
  return (
    <button
      type="button"
      aria-label={about === undefined || isCopied.value ? undefined : `${shown}: ${about}`}
      onClick={() => void copy()}
    >
      {isCopied.value ? t().copied : shown}
    </button>
  );
}

/** Puts a text into the clipboard. */
export async function writeClipboard(text: string): Promise<void> {
  // Browsers only have it over https and on this machine.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard) return clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
