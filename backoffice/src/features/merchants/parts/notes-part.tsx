import { staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, LinesField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { reading } from '../../../platform/reading.ts';
import { useHasPerm } from '../../../platform/session.ts';
import { Failure } from '../../../shared/failure.tsx';
import table from '../../../shared/table.module.css';
import { useCallForm } from '../../../shared/use-call-form.ts';
import styles from '../merchants.module.css';
import { useRefresh } from '../use-refresh.ts';

/** Notes about a merchant, the newest first. */
export function NotesPart({ code }: { code: string }): ReactElement {
  const t = useT();
  const mayWrite = useHasPerm('merchants.note');
  const [written, setWritten] = useState(0);
  const { data, error, refetch } = useQuery(reading(staffMerchantEndpoints.notes, { params: { code } }));
  return (
    <Section title={t('officeMerchants.notes')} isCard>
      {mayWrite && <NoteForm key={written} code={code} onDone={() => setWritten(written + 1)} />}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p className={table.note}>{t('officeMerchants.noNotes')}</p>}
      <ul className={styles.notes}>
        {data?.map(({ id, text, by, at }) => (
          <li key={id}>
            <span className={styles.muted}>
              {by} · <TimeText at={at} />
            </span>
            {text}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function NoteForm({ code, onDone }: { code: string; onDone: () => void }): ReactElement {
  const t = useT();
  const refresh = useRefresh();
  const form = useCallForm(
    staffMerchantEndpoints.addNote,
    () => {
      toast('success', t('officeMerchants.noteAdded'));
      refresh();
      onDone();
    },
    { code },
  );
  return (
    <div className={styles.text}>
      <Form state={form} action={t('officeMerchants.addNote')}>
        <LinesField
          form={form}
          name="text"
          label={t('officeMerchants.note')}
          hint={t('officeMerchants.noteHint')}
          maxLength={2000}
        />
      </Form>
    </div>
  );
}
