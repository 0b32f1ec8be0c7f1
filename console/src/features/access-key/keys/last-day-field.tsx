import { Button } from '@hengfu/ui/controls/button.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { dayOf } from '@hengfu/ui/language/zone.ts';
import { DateField } from '@hengfu/ui/overlays/date-field.tsx';
import { type ReactElement, useId, useState } from 'react';
import { useUser } from '../../../platform/session-store.ts';
import styles from './keys.module.css';

interface LastDayFieldProps {
  form: FormState;
  label: string;
  value?: string;
}

/** The last day on which a key works, or none. */
export function LastDayField({ form, label, value = '' }: LastDayFieldProps): ReactElement {
  const t = useT();
  const id = useId();
  const { zone } = useUser();
  const [nowMs] = useState(Date.now);
  const [lastDay, setLastDay] = useState(value);
  const choose = (day: string) => {
    setLastDay(day);
    form.forget('expiresAt');
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input type="hidden" name="expiresAt" value={lastDay} />
      <div className={styles.day}>
        <DateField
          id={id}
          label={label}
          value={lastDay}
          today={dayOf(nowMs, zone)}
          placeholder={t('accessKeys.never')}
          onChange={choose}
        />
        {lastDay !== '' && (
          <Button look="quiet" onClick={() => choose('')}>
            {t('accessKeys.clearExpiry')}
          </Button>
        )}
      </div>
      {form.faults.expiresAt ? (
        <p className={styles.fault} role="alert">
          {form.faults.expiresAt}
        </p>
      ) : (
        <p className={styles.hint}>{t('accessKeys.expiryHint')}</p>
      )}
    </div>
  );
}
