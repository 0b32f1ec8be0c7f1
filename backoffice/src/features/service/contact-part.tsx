import { contactKinds } from '@hengfu/contract/contact';
import { contactPageEndpoints, type StaffContact } from '@hengfu/contract/staff/contact-page';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { useHasPerm } from '../../platform/session.ts';
import { Failure } from '../../shared/failure.tsx';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';
import { AskDialog } from './ask-dialog.tsx';
import styles from './service.module.css';

/** The contact that a dialog changes, adds (no contact) or removes. */
type Open = { what: 'set'; contact?: StaffContact } | { what: 'remove'; contact: StaffContact };

/** The contact page of all merchants, with the notes in all languages. */
export function ContactPart(): ReactElement {
  const t = useT();
  const canSet = useHasPerm('contact.set');
  const [open, setOpen] = useState<Open>();
  const { data, error, refetch } = useQuery(reading(contactPageEndpoints.list));
  useLive(['service'], [contactPageEndpoints.list.path]);
  const close = () => setOpen(undefined);
  return (
    <Section title={t('officeService.contact')} isCard>
      <p className={table.note}>{t('officeService.contactText')}</p>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p>{t('officeService.none')}</p>}
      {data && data.length > 0 && (
        <TableBox label={t('officeService.contact')}>
          <thead>
            <tr>
              <th>{t('officeService.kind')}</th>
              <th>{t('officeService.value')}</th>
              <th>{t('officeService.notes')}</th>
              {canSet && (
                <th>
                  <span className="visually-hidden">{t('officeService.action')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {data.map((contact) => (
              <tr key={`${contact.kind} ${contact.value}`}>
                <td>{t(`contact.kind.${contact.kind}`)}</td>
                <td>{contact.value}</td>
                <td data-long>
                  <Notes notes={contact.notes} />
                </td>
                {canSet && (
                  <td>
                    <div className={styles.buttons}>
                      <Button onClick={() => setOpen({ what: 'set', contact })}>
                        {t('officeService.editContact')}
                      </Button>
                      <Button onClick={() => setOpen({ what: 'remove', contact })}>
                        {t('officeService.removeContact')}
                      </Button>
                    </div>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
      {canSet && (
        <div className={styles.buttons}>
          <Button look="primary" onClick={() => setOpen({ what: 'set' })}>
            {t('officeService.addContact')}
          </Button>
        </div>
      )}
      {open?.what === 'set' && <SetDialog contact={open.contact} onClose={close} />}
      {open?.what === 'remove' && <RemoveDialog contact={open.contact} onClose={close} />}
    </Section>
  );
}

function Notes({ notes }: Pick<StaffContact, 'notes'>): ReactElement {
  return (
    <div className={styles.uses}>
      {(['en', 'zh-cn', 'vi'] as const).map(
        (language) =>
          notes[language] && (
            <span key={language} lang={language}>
              {notes[language]}
            </span>
          ),
      )}
    </div>
  );
}

/** Adds a contact, or changes the notes of one. */
function SetDialog({
  contact,
  onClose,
}: {
  contact: StaffContact | undefined;
  onClose: () => void;
}): ReactElement {
  const t = useT();
  const title = t(contact ? 'officeService.editContact' : 'officeService.addContact');
  return (
    <AskDialog title={contact?.value ?? title} endpoint={contactPageEndpoints.set} onClose={onClose}>
      {(form) => <ContactFields form={form} contact={contact} />}
    </AskDialog>
  );
}

function ContactFields({
  form,
  contact,
}: {
  form: FormState;
  contact: StaffContact | undefined;
}): ReactElement {
  const t = useT();
  const optional = t('officeService.optional');
  return (
    <>
      {contact ? (
        <>
          <input type="hidden" name="kind" value={contact.kind} />
          <input type="hidden" name="value" value={contact.value} />
        </>
      ) : (
        <>
          <SelectField form={form} name="kind" label={t('officeService.kind')}>
            {contactKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`contact.kind.${kind}`)}
              </option>
            ))}
          </SelectField>
          <TextField
            form={form}
            name="value"
            label={t('officeService.value')}
            hint={t('officeService.valueHint')}
            autoComplete="off"
          />
        </>
      )}
      <TextField
        form={form}
        name="note"
        label={t('officeService.noteEn')}
        hint={optional}
        defaultValue={contact?.notes.en}
        maxLength={200}
      />
      <TextField
        form={form}
        name="noteZhCn"
        label={t('officeService.noteZhCn')}
        hint={optional}
        defaultValue={contact?.notes['zh-cn']}
        maxLength={200}
      />
      <TextField
        form={form}
        name="noteVi"
        label={t('officeService.noteVi')}
        hint={optional}
        defaultValue={contact?.notes.vi}
        maxLength={200}
      />
    </>
  );
}

function RemoveDialog({ contact, onClose }: { contact: StaffContact; onClose: () => void }): ReactElement {
  const t = useT();
  const { kind, value } = contact;
  return (
    <AskDialog
      title={t('officeService.removeTitle')}
      endpoint={contactPageEndpoints.remove}
      onClose={onClose}
    >
      {() => (
        <>
          <p>
            {t(`contact.kind.${kind}`)} {value}
          </p>
          <input type="hidden" name="kind" value={kind} />
          <input type="hidden" name="value" value={value} />
        </>
      )}
    </AskDialog>
  );
}
