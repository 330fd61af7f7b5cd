import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface ModalProps {
  name: string;
  /** Removes the dialog. Escape calls it, too. */
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog, open while it is mounted. */
export function Modal({ name, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // If it is closed while it is still in the document, it returns the focus to the element that opened it.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  // The event comes late: by then the dialog may be gone, and another one open.
  const closed = () => {
    if (dialog.current) onClose();
  };
  return (
    <dialog ref={dialog} aria-label={name} onClose={closed}>
      {children}
    </dialog>
  );
}
