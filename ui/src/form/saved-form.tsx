import { Fragment, type ReactElement, type ReactNode, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Notice } from '../controls/notice.tsx';
import { useT } from '../language/i18n.ts';

interface SavedFormProps<V> {
  /** The saved values as they were last read. They are compared as JSON. */
  saved: V;
  /** Differs for each reading, such as its time. */
  readAt: number;
  children: (form: DrawnForm<V>) => ReactNode;
}

/** The values of a form over saved values, and its reports. */
export interface DrawnForm<V> {
  /** The values that its fields begin with. */
  from: V;
  /** The saved values as they were last read. */
  saved: V;
  /** To be called for every edit. */
  onEdit: () => void;
  /** To be called when its values are sent. */
  onSend: () => void;
  /** To be called once they have been accepted, before they are read again. */
  onSaved: () => void;
}

interface State<V> {
  from: V;
  round: number;
  edits: number;
  /** The edits when the values were last sent. */
  sentEdits: number;
  /** The values were accepted just now. */
  isSaved: boolean;
  /** From then on until they are read again: the reading before. */
  savedOver?: number | undefined;
}

const untouched = { edits: 0, sentEdits: 0, isSaved: false };

/**
 * Draws a form anew whenever its saved values change, unless it is being edited. Then what was typed stays, and a notice says that the
 * values have changed.
 */
export function SavedForm<V>({ saved, readAt, children }: SavedFormProps<V>): ReactElement {
  const t = useT();
  const [form, setForm] = useState<State<V>>({ ...untouched, from: saved, round: 0 });
  const isEdited = form.edits > 0;
  const isReadAgain = form.savedOver === undefined || readAt !== form.savedOver;
  const isOwn = form.savedOver !== undefined && isReadAgain;
  const isChanged = JSON.stringify(saved) !== JSON.stringify(form.from);
  const drawAnew = () => setForm({ ...untouched, from: saved, round: form.round + 1 });
  if (form.isSaved) setForm({ ...form, isSaved: false, savedOver: readAt });
  else if (isOwn && isEdited) setForm({ ...form, from: saved, savedOver: undefined });
  else if (isOwn || (isChanged && !isEdited && isReadAgain)) drawAnew();
  return (
    <>
      {isChanged && isEdited && form.savedOver === undefined && (
        <Notice tone="waiting" action={<Button onClick={drawAnew}>{t('ui.changedMeanwhile.show')}</Button>}>
          {t('ui.changedMeanwhile.text')}
        </Notice>
      )}
      <Fragment key={form.round}>
        {children({
          from: form.from,
          saved,
          onEdit: () => setForm((now) => ({ ...now, edits: now.edits + 1 })),
          onSend: () => setForm((now) => ({ ...now, sentEdits: now.edits })),
          // Edits since it was sent are not saved.
          onSaved: () =>
            setForm((now) => ({ ...now, edits: now.edits - now.sentEdits, sentEdits: 0, isSaved: true })),
        })}
      </Fragment>
    </>
  );
}
