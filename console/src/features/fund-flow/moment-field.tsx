import { type ReactElement, useId } from 'react';
import { useT } from '../../platform/i18n.ts';
import { useUser } from '../../platform/session-store.ts';
import { Button } from '../../ui/button.tsx';
import { dayOf, instantAt, timeOf } from '../../ui/zone.ts';
import styles from './fund-flow.module.css';

interface MomentFieldProps {
  /** An instant; undefined means now. */
  at: string | undefined;
  onChange: (at: string | undefined) => void;
}

/** Chooses a past moment in the reader's time zone. */
export function MomentField({ at, onChange }: MomentFieldProps): ReactElement {
  const t = useT();
  const id = useId();
  const { zone } = useUser();
  const shown = at === undefined ? '' : `${dayOf(Date.parse(at), zone)}T${timeOf(Date.parse(at), zone)}`;
  return (
    <div className={styles.moment}>
      <label htmlFor={id}>{t('fundFlow.atMoment')}</label>
      <input
        id={id}
        type="datetime-local"
        value={shown}
        title={t('fundFlow.atHint', { zone })}
        onChange={({ target: { value } }) => {
          const [day = '', time = ''] = value.split('T');
          onChange(value === '' ? undefined : new Date(instantAt(day, time.slice(0, 5), zone)).toISOString());
        }}
      />
      {at !== undefined && <Button onClick={() => onChange(undefined)}>{t('fundFlow.nowAgain')}</Button>}
    </div>
  );
}
