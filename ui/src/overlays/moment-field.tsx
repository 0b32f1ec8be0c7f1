import { type ReactElement, useState } from 'react';
import { isComposing } from '../browser/is-composing.ts';
import { useUiSettings } from '../language/ui-settings.ts';
import { dayOf, instantAt, timeOf } from '../language/zone.ts';
import { DateField } from './date-field.tsx';
import styles from './moment-field.module.css';

interface MomentFieldProps {
  /** Of the button with the day, which a `<label>` names. */
  id: string;
  /** Name of the box with the calendar. */
  label: string;
  /** Name of the field with the time, and its explanation. */
  timeLabel: string;
  timeHint: string;
  /** An instant; undefined for none. */
  at: string | undefined;
  /** Shown while no moment is chosen. */
  placeholder: string;
  onChange: (at: string) => void;
}

const clockTime = /^([01]\d|2[0-3]):[0-5]\d$/;

/** A moment in the reader's time zone: a day, and the time on that day. */
export function MomentField(props: MomentFieldProps): ReactElement {
  const { id, label, timeLabel, timeHint, at, placeholder, onChange } = props;
  const { zone } = useUiSettings();
  const [nowMs] = useState(Date.now);
  const day = at === undefined ? '' : dayOf(Date.parse(at), zone);
  const time = at === undefined ? '00:00' : timeOf(Date.parse(at), zone);
  const choose = (onDay: string, atTime: string) =>
    onChange(new Date(instantAt(onDay, atTime, zone)).toISOString());
  return (
    <div className={styles.moment}>
      <DateField
        id={id}
        label={label}
        value={day}
        today={dayOf(nowMs, zone)}
        placeholder={placeholder}
        onChange={(chosen) => choose(chosen, time)}
      />
      {at !== undefined && (
        <input
          // Another day or moment shows its own time.
          key={at}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          defaultValue={time}
          aria-label={timeLabel}
          title={timeHint}
          onBlur={({ target }) => takeTime(target)}
          onKeyDown={({ key, currentTarget, nativeEvent }) => {
            if (key === 'Enter' && !isComposing(nativeEvent)) takeTime(currentTarget);
          }}
        />
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
