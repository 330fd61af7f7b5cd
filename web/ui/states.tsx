import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { t } from '../i18n/index.ts';

/** During a shorter wait, nothing is shown. */
const SKELETON_AFTER_MS = 150;

/** A placeholder for data that is being loaded. */
export function Skeleton() {
  const isShown = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (isShown.value = true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown.value) return null;
  return (
    <p class="skeleton" role="status">
      {t().loading}
    </p>
  );
}

interface ProblemProps {
  words: string;
  requestId?: string | undefined;
  act?: string;
  onAct?: () => void;
  /** Whether a retry is not possible yet. */
  isDisabled?: boolean;
  /** Other things to try. */
  children?: ComponentChildren;
}

/** Shows what is wrong and what to do, with one action to try. */
export function Problem({ words, requestId, act, onAct, isDisabled, children }: ProblemProps) {
  return (
    <div class="problem" role="alert">
      <p>{words}</p>
      {requestId !== undefined && (
        <p class="small">
          {t().requestId}: <code>{requestId}</code>
        </p>
      )}
      {onAct && (
        <button type="button" disabled={isDisabled} onClick={onAct}>
          {act ?? t().repeat}
        </button>
      )}{' '}
      {children}
    </div>
  );
}

/** An error of a call in words: the page's own for codes that it knows, or else the server's sentence. */
export function ErrorProblem({ error, onAct }: { error: unknown; onAct?: () => void }) {
  if (error === undefined) return null;
  const { words, requestId } = errorWords(error);
  return <Problem words={words} requestId={requestId} {...(onAct && { onAct })} />;
}

/** The words of an error, and the id by which the operator finds it in the log. */
export function errorWords(error: unknown): { words: string; requestId: string | undefined } {
  if (!(error instanceof ApiError)) return { words: String(error), requestId: undefined };
  const words = t().errors[error.code] ?? asSentence(namedAsShown(error));
  return { words, requestId: error.requestId };
}

/** The server names fields as programs do; people know a field by its label. */
function namedAsShown({ message, details }: ApiError): string {
  const listed = (nameOf: (path: string) => string) =>
    details.map((one) => `${nameOf(one.path)}: ${one.message}`).join('; ');
  return details.length > 0 && message === listed((path) => path) ? listed(labelOf) : message;
}

function labelOf(path: string): string {
  const [field] = document.getElementsByName(path);
  const [label] = field instanceof HTMLInputElement ? (field.labels ?? []) : [];
  return label?.textContent ?? path;
}

/** The server's messages begin with a small letter, and end without a full stop. Names of fields stay as they are. */
function asSentence(words: string): string {
  const text = /^\p{Ll}+ /u.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words;
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}
