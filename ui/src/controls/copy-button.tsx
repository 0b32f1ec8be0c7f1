import { type ReactElement, useEffect, useRef, useState } from 'react';
import { writeClipboard } from '../browser/clipboard.ts';
import { toast } from '../feedback/toast.ts';
import { useT } from '../language/i18n.ts';
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
