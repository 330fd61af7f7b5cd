import { useSignal } from '@preact/signals';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { CopyButton } from '../ui/copy-button.tsx';

/** Code longer than this, in UTF-16 units, is shown without colours, since they would take too long. */
const COLOURED_MAX = 50_000;

/** Whether the surrounding block is still being written. */
export const Growing = createContext(false);

interface CodeProps {
  text: string;
  language: string | undefined;
  /** A name for screen readers, if a page has several. */
  about?: string;
}

/** A block of code; it gets colours when it is complete. */
export function Code({ text, language, about }: CodeProps) {
  const coloured = useSignal<{ text: string; nodes: ComponentChildren } | undefined>(undefined);
  const isGrowing = useContext(Growing);
  const wants = !isGrowing && language !== undefined && text.length <= COLOURED_MAX;
  useEffect(() => {
    if (!wants) return undefined;
    let isGone = false;
    const colour = async () => {
      const { colours } = await import('./colours.tsx');
      if (!isGone) coloured.value = { text, nodes: colours(text, language) };
    };
    // The code is shown even without colours: the server may have a new version of the page.
    colour().catch(() => undefined);
    return () => void (isGone = true);
  }, [text, language, wants]);
  return (
    <figure class="code">
      <figcaption>
        <span dir="auto">{language}</span>
        <CopyButton text={text} {...(about !== undefined && { about })} />
      </figcaption>
      <pre tabIndex={0} dir="ltr">
        <code>{coloured.value?.text === text ? coloured.value.nodes : text}</code>
      </pre>
    </figure>
  );
}
