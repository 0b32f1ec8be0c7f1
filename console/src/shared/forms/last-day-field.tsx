import { Button } from '@hengfu/ui/controls/button.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { dayOf } from '@hengfu/ui/language/zone.ts';
import { DateField } from '@hengfu/ui/overlays/date-field.tsx';
import { type ReactElement, useId, useState } from 'react';
import { useUser } from '../../platform/session-store.ts';
import styles from './last-day-field.module.css';

interface LastDayFieldProps {
  form: FormState;
  /** Field name in the form's fields. */
  name: string;
  label: string;
  hint: string;
  /** Shown while there is none. */
  none: string;
  /** Label of the button that removes it. */
  clear: string;
  value?: string;
}

/** The last day on which something works, or none. */
export function LastDayField({
  form,
  name,
  label,
  hint,
  none,
  clear,
  value = '',
}: LastDayFieldProps): ReactElement {
  const id = useId();
  const { zone } = useUser();
  const [nowMs] = useState(Date.now);
  const [lastDay, setLastDay] = useState(value);
  const choose = (day: string) => {
    setLastDay(day);
    form.forget(name);
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input type="hidden" name={name} value={lastDay} />
      <div className={styles.day}>
        <DateField
          id={id}
          label={label}
          value={lastDay}
          today={dayOf(nowMs, zone)}
          placeholder={none}
          onChange={choose}
        />
        {lastDay !== '' && (
          <Button look="quiet" onClick={() => choose('')}>
            {clear}
          </Button>
        )}
      </div>
      {form.faults[name] ? (
        <p className={styles.fault} role="alert">
          {form.faults[name]}
        </p>
      ) : (
        <p className={styles.hint}>{hint}</p>
      )}
    </div>
  );
}
