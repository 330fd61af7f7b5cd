import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';

/** The heading of a screen. It gets the focus when the screen opens, so that a screen reader announces it. */
export function Title({ children, name }: { children?: ComponentChildren; name: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${name} – ${t().product}`;
    // A room gets its title while the user continues to write.
    const isWriting = document.activeElement?.matches('input, textarea, select') ?? false;
    if (!isWriting) heading.current?.focus({ preventScroll: true });
  }, [name]);
  return (
    <h1 tabIndex={-1} ref={heading}>
      {children ?? name}
    </h1>
  );
}
