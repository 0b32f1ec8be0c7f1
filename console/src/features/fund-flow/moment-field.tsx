import { isComposing } from '@hengfu/ui/browser/is-composing.ts';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { dayOf, instantAt, timeOf } from '@hengfu/ui/language/zone.ts';
import { DateField } from '@hengfu/ui/overlays/date-field.tsx';
import { type ReactElement, useId, useState } from 'react';
import { useUser } from '../../platform/session-store.ts';
import styles from './fund-flow.module.css';

interface MomentFieldProps {
  /** An instant; undefined means now. */
  at: string | undefined;
  onChange: (at: string | undefined) => void;
}

const clockTime = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Chooses a past moment in the reader's time zone: a day, and the time on that day. */
export function MomentField({ at, onChange }: MomentFieldProps): ReactElement {
  const t = useT();
  const id = useId();
  const { zone } = useUser();
  const [nowMs] = useState(Date.now);
  const day = at === undefined ? '' : dayOf(Date.parse(at), zone);
  const time = at === undefined ? '00:00' : timeOf(Date.parse(at), zone);
  const choose = (onDay: string, atTime: string) =>
    onChange(new Date(instantAt(onDay, atTime, zone)).toISOString());
  return (
    <div className={styles.moment}>
      <label htmlFor={id}>{t('fundFlow.atMoment')}</label>
      <DateField
        id={id}
        label={t('fundFlow.atMoment')}
        value={day}
        today={dayOf(nowMs, zone)}
        placeholder={t('fundFlow.now')}
        onChange={(chosen) => choose(chosen, time)}
      />
      {at !== undefined && (
        <>
          <input
            // Another day or moment shows its own time.
            key={at}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            maxLength={5}
            defaultValue={time}
            aria-label={t('fundFlow.atTime')}
            title={t('fundFlow.atHint', { zone })}
            onBlur={({ target }) => takeTime(target)}
            onKeyDown={({ key, currentTarget, nativeEvent }) => {
              if (key === 'Enter' && !isComposing(nativeEvent)) takeTime(currentTarget);
            }}
          />
          <Button onClick={() => onChange(undefined)}>{t('fundFlow.nowAgain')}</Button>
        </>
      )}
    </div>
  );

  /** Applies a typed time; anything else goes back to the time that is shown. */
  function takeTime(input: HTMLInputElement): void {
    const typed = input.value.trim();
    if (!clockTime.test(typed)) input.value = time;
    else if (typed !== time) choose(day, typed);
  }
}
