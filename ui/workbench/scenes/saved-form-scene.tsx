import { type ReactElement, useState } from 'react';
import { Button } from '../../src/controls/button.tsx';
import { Form, LinesField } from '../../src/form/form.tsx';
import { useSubmission } from '../../src/form/form-state.ts';
import { type DrawnForm, SavedForm } from '../../src/form/saved-form.tsx';
import { useT } from '../../src/language/i18n.ts';

/** The value that the service holds, and the one last read. */
interface Read {
  held: string;
  saved: string;
  readAt: number;
}

const savingMs = 500;

/** A form over a value that a colleague changes as well. Saved texts are trimmed, and read with the press of a button. */
export function SavedFormScene(): ReactElement {
  const [{ held, saved, readAt }, setRead] = useState<Read>({
    held: '192.0.2.1',
    saved: '192.0.2.1',
    readAt: 0,
  });
  const hold = (text: string) => setRead((now) => ({ ...now, held: text }));
  return (
    <>
      <h1>Saved form</h1>
      <SavedForm saved={saved} readAt={readAt}>
        {(drawn) => <NoteForm {...drawn} hold={hold} />}
      </SavedForm>
      <Button onClick={() => hold(`${held} 192.0.2.2`)}>Colleague saves</Button>
      <Button onClick={() => setRead({ held, saved: held, readAt: Date.now() + 1 })}>Read again</Button>
      <output>{held}</output>
    </>
  );
}

function NoteForm({
  from,
  onEdit,
  onSend,
  onSaved,
  hold,
}: DrawnForm<string> & { hold: (text: string) => void }): ReactElement {
  const t = useT();
  const form = useSubmission({
    send: async ({ note }) => {
      onSend();
      await new Promise((resolve) => setTimeout(resolve, savingMs));
      hold(String(note).trim());
    },
    onDone: onSaved,
    refusalOf: () => undefined,
  });
  return (
    <Form state={form} onEdit={onEdit} action={t('ui.apply')}>
      <LinesField form={form} name="note" label={t('collections.subject')} defaultValue={from} />
    </Form>
  );
}
