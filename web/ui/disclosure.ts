import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A button that opens a panel. Escape, and a click outside, close it. */
export interface Disclosure<Root> {
  isOpen: Signal<boolean>;
  /** For the element around button and panel. */
  root: RefObject<Root | null>;
  /** For the button, which gets the focus back. */
  button: RefObject<HTMLButtonElement | null>;
  /** For the element around both. */
  onKeyDown: (event: KeyboardEvent) => void;
}

export function useDisclosure<Root extends HTMLElement>(): Disclosure<Root> {
  const isOpen = useSignal(false);
  const root = useRef<Root>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen.value) return undefined;
    const closeOutside = ({ target }: PointerEvent) => {
      if (target instanceof Node && !root.current?.contains(target)) isOpen.value = false;
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen.value]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen.value) return;
    event.stopPropagation();
    isOpen.value = false;
    button.current?.focus();
  };
  return { isOpen, root, button, onKeyDown };
}
