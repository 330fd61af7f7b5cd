import { useEffect, useRef } from 'preact/hooks';

/** Longer formulas, in UTF-16 units, are shown as their source. */
const SOURCE_MAX = 10_000;

/** A formula as MathML. Its source is shown until the code for it is loaded, and if it is not TeX. */
export function Tex({ source, isBlock = false }: { source: string; isBlock?: boolean }) {
  const root = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    element.textContent = source;
    if (source.length > SOURCE_MAX) return undefined;
    let isGone = false;
    const show = async () => {
      const { formula } = await import('./formula.ts');
      if (!isGone) element.replaceChildren(formula(source, isBlock));
    };
    // A text that is not TeX stays as the model wrote it.
    show().catch(() => undefined);
    return () => void (isGone = true);
  }, [source, isBlock]);
  // A long formula scrolls by itself.
  return (
    <span class={isBlock ? 'tex block' : 'tex'} tabIndex={isBlock ? 0 : undefined} ref={root} />
  );
}
