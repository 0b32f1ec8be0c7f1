import { Fragment, type ReactElement, type ReactNode, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Notice } from '../controls/notice.tsx';
import { useT } from '../language/i18n.ts';

interface SavedFormProps<V> {
  /** The saved values as they were last read. They are compared as JSON. */
  saved: V;
  /** When they were read, in milliseconds since 1970. */
  readAt: number;
  children: (form: DrawnForm<V>) => ReactNode;
}

/** What a form over saved values needs. */
export interface DrawnForm<V> {
  /** The values that its fields begin with. */
  from: V;
  /** To be called for every edit. */
  onEdit: () => void;
  /** To be called once its values have been accepted, before they are read again. */
  onSaved: () => void;
}

/**
 * Draws a form anew whenever its saved values change, unless it is being edited. Then what was typed stays, and the user is told of the
 * change.
 */
export function SavedForm<V>({ saved, readAt, children }: SavedFormProps<V>): ReactElement {
  const t = useT();
  const [form, setForm] = useState<{ from: V; round: number; isEdited: boolean; savedAt?: number }>({
    from: saved,
    round: 0,
    isEdited: false,
  });
  const isOwn = form.savedAt !== undefined && readAt > form.savedAt;
  const isChanged = JSON.stringify(saved) !== JSON.stringify(form.from);
  const drawAnew = () => setForm({ from: saved, round: form.round + 1, isEdited: false });
  if (isOwn && form.isEdited) setForm({ from: saved, round: form.round, isEdited: true });
  else if (isOwn || (isChanged && !form.isEdited)) drawAnew();
  return (
    <>
      {isChanged && form.isEdited && form.savedAt === undefined && (
        <Notice tone="waiting" action={<Button onClick={drawAnew}>{t('ui.changedMeanwhile.show')}</Button>}>
          {t('ui.changedMeanwhile.text')}
        </Notice>
      )}
      <Fragment key={form.round}>
        {children({
          from: form.from,
          onEdit: () => setForm((now) => (now.isEdited ? now : { ...now, isEdited: true })),
          onSaved: () => setForm((now) => ({ ...now, isEdited: false, savedAt: Date.now() })),
        })}
      </Fragment>
    </>
  );
}
