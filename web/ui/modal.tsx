import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface ModalProps {
  name: string;
  /** Takes it away. Escape calls it, too. */
  onClose: () => void;
  children: ComponentChildren;
}

/** A dialog over the page, open as long as it is there. */
export function Modal({ name, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label={name} onClose={onClose}>
      {children}
    </dialog>
  );
}
