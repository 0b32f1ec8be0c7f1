import { type ReactElement, type RefObject, useId, useState } from 'react';
import { Calendar } from '../controls/calendar.tsx';
import { isDay } from '../controls/month-grid.ts';
import { useT } from '../language/i18n.ts';
import styles from './date-field.module.css';
import { PopoverBox } from './popover-box.tsx';

interface DateBoxProps {
  id: string;
  label: string;
  value: string;
  today: string;
  button: RefObject<HTMLButtonElement | null>;
  onChosen: (day: string) => void;
  onClose: () => void;
}

/** The open box of a date field: the day as text, and the calendar. */
export function DateBox({ id, label, value, today, button, onChosen, onClose }: DateBoxProps): ReactElement {
  const t = useT();
  const faultId = useId();
  const [text, setText] = useState(value);
  const [isWrong, setWrong] = useState(false);
  return (
    <PopoverBox id={id} label={label} button={button} onClose={onClose}>
      <form
        className={styles.box}
        onSubmit={(event) => {
          event.preventDefault();
          // A form around the field is not meant.
          event.stopPropagation();
          const day = text.trim();
          if (isDay(day)) onChosen(day);
          else setWrong(true);
        }}
      >
        <label className={styles.typed}>
          {label}
          <input
            type="text"
            autoComplete="off"
            inputMode="numeric"
            placeholder="YYYY-MM-DD"
            value={text}
            aria-invalid={isWrong}
            aria-describedby={faultId}
            onChange={({ target }) => {
              setText(target.value);
              setWrong(false);
            }}
          />
        </label>
        <p id={faultId} className={styles.fault} hidden={!isWrong}>
          {t('ui.dayFormat')}
        </p>
        <Calendar
          first={isDay(value) ? value : ''}
          last={isDay(value) ? value : ''}
          today={today}
          isSingle
          onPick={onChosen}
        />
      </form>
    </PopoverBox>
  );
}
