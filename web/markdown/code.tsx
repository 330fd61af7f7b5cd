import { useSignal } from '@preact/signals';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { CopyButton } from '../ui/copy-button.tsx';

/** Longer code, in UTF-16 units, stays without colours: they would take too long. */
const COLOURED_MAX = 50_000;

/** Whether the block around is still being written. */
export const Growing = createContext(false);

interface CodeProps {
  text: string;
  language: string | undefined;
  /** What it is, for screen readers, where a page has many. */
  about?: string;
}

/** A block of code, with colours when it is whole. */
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
    // Without colours, the code is there all the same: the server may have a new version of the page.
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
