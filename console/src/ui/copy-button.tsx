import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useT } from '../platform/i18n.ts';
import { toast } from '../platform/toast.ts';
import { IconButton } from './button.tsx';

const doneVisibleMs = 1500;

/** Copies `text`; `name` is its label ("Order number"). Success is shown by a tick and announced. */
export function CopyButton({
  text,
  name,
  className,
}: {
  text: string;
  name: string;
  className?: string | undefined;
}): ReactElement {
  const t = useT();
  const [isDone, setDone] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = async () => {
    try {
      await writeClipboard(text);
    } catch {
      toast('error', t('ui.copyFailed'), 'copy');
      return;
    }
    setDone(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setDone(false), doneVisibleMs);
  };
  return (
    <>
      <IconButton
        className={className}
        icon={isDone ? 'check' : 'copy'}
        label={isDone ? t('ui.copied') : t('ui.copy', { name })}
        onClick={(event) => {
          // Don't open the surrounding row.
          event.stopPropagation();
          void copy();
        }}
      />
      {isDone && (
        <span role="status" className="visually-hidden">
          {t('ui.copied')}
        </span>
      )}
    </>
  );
}

/**
 * Writes to the clipboard. Falls back to `execCommand` on plain http, where the clipboard API is unavailable.
 */
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (!isCopied) throw new Error('the browser refused to copy');
}
