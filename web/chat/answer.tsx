import { useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { Markdown } from '../markdown/markdown.tsx';
import type { Turn } from './turns.ts';

/** The text or the image with which a model answered. */
export function Answer({ turn: { response, model, state } }: { turn: Turn }) {
  if (response === '') return null;
  // Images are loaded from this server, by their path; nothing is loaded from elsewhere.
  const path = model?.type === 'IMAGE' ? URL.parse(response)?.pathname : undefined;
  if (path?.startsWith('/images/')) return <Image path={path} />;
  return <Markdown text={response} isGrowing={state === 'streaming'} />;
}

/** An image; a click shows it as large as the window. */
function Image({ path }: { path: string }) {
  const words = t().chat;
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <figure class="drawn">
      <button
        type="button"
        class="bare"
        aria-label={words.enlarge}
        onClick={() => dialog.current?.showModal()}
      >
        <img src={path} alt={words.image} />
      </button>
      <figcaption>
        <a href={path} download>
          {words.download}
        </a>
      </figcaption>
      <dialog class="zoom" ref={dialog} aria-label={words.image}>
        <button
          type="button"
          class="bare"
          aria-label={words.close}
          onClick={() => dialog.current?.close()}
        >
          <img src={path} alt={words.image} />
        </button>
      </dialog>
    </figure>
  );
}
