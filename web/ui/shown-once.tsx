import { CopyButton } from './copy-button.tsx';

/** A secret that the server does not show again. */
export function ShownOnce({ words, secret }: { words: string; secret: string }) {
  return (
    <div class="notice" role="status">
      <p>{words}</p>
      <p>
        <code>{secret}</code> <CopyButton text={secret} />
      </p>
    </div>
  );
}
