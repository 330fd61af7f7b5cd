import { type Signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Model } from '../api/types.ts';
import { t } from '../i18n/index.ts';
import { type Picture, PICTURES_MAX, picturesOf, takesPictures } from './pictures.ts';

/** The pictures of a message. Nothing is loaded from elsewhere: pictures on other servers are links. */
export function Pictures({ pictures }: { pictures: readonly Picture[] }) {
  if (pictures.length === 0) return null;
  return (
    <div class="pictures">
      {pictures.map(({ src }, at) =>
        src.startsWith('https:') ? (
          <a key={src} href={src} rel="noopener noreferrer" target="_blank">
            {src}
          </a>
        ) : (
          <img key={src} src={src} alt={t().chat.picture(String(at + 1))} />
        ),
      )}
    </div>
  );
}

/** Adds files to the pictures of a message, as far as there is room. */
async function addPictures(pictures: Signal<readonly Picture[]>, files: Iterable<File>) {
  const added = await picturesOf(files);
  pictures.value = [...pictures.value, ...added].slice(0, PICTURES_MAX);
}

/** The pictures of the message that is being written, and the handlers for dropped and pasted ones. */
export function useChosenPictures(model: Model | undefined) {
  const pictures = useSignal<readonly Picture[]>([]);
  const takes = takesPictures(model);
  const take = (event: Event, files: FileList | undefined) => {
    if (!takes || !files?.length) return;
    event.preventDefault();
    void addPictures(pictures, [...files]);
  };
  const handlers = {
    onDragOver: (event: DragEvent) => takes && event.preventDefault(),
    onDrop: (event: DragEvent) => take(event, event.dataTransfer?.files),
    onPaste: (event: ClipboardEvent) => take(event, event.clipboardData?.files),
  };
  return { pictures, takes, chosen: takes ? pictures.value : [], handlers };
}

/** The pictures to be sent, each with a button that removes it, and a button that adds more. */
export function ChosenPictures({ pictures }: { pictures: Signal<readonly Picture[]> }) {
  const words = t().chat;
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="pictures">
      {pictures.value.map(({ src }, at) => (
        <span key={src}>
          <img src={src} alt={words.picture(String(at + 1))} />
          <button
            type="button"
            aria-label={words.removePicture(String(at + 1))}
            onClick={() => (pictures.value = pictures.value.filter((one) => one.src !== src))}
          >
            ×
          </button>
        </span>
      ))}
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          void addPictures(pictures, files);
        }}
      />
      {pictures.value.length < PICTURES_MAX && (
        <button type="button" onClick={() => input.current?.click()}>
          {words.addPictures}
        </button>
      )}
    </div>
  );
}
