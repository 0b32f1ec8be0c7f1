import type { ReactElement } from 'react';
import { onDemand } from '../browser/on-demand.tsx';
import { Icon } from '../controls/icon.tsx';
import { formatDay } from '../language/format.ts';
import { useLanguage } from '../language/i18n.ts';
import styles from './date-field.module.css';
import { usePopup } from './use-popup.ts';

interface DateFieldProps {
  /** Of the button, which a `<label>` names. */
  id: string;
  /** Name of the box with the calendar. */
  label: string;
  /** `YYYY-MM-DD`, or '' for none. */
  value: string;
  /** Today in the zone of the day. */
  today: string;
  /** Shown while no day is chosen. */
  placeholder?: string;
  /** Called with a day only. */
  onChange: (day: string) => void;
}

const DateBox = onDemand(async () => (await import('./overlays.ts')).DateBox);

/** A day: a button that shows it in the reader's language, and a calendar, in which it can be typed, too. */
export function DateField(props: DateFieldProps): ReactElement {
  const { id, label, value, today, placeholder = '', onChange } = props;
  const language = useLanguage();
  const { isOpen, setOpen, button, buttonProps } = usePopup(DateBox.prefetch);
  return (
    <>
      <button
        type="button"
        id={id}
        {...buttonProps}
        role="combobox"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-controls={isOpen ? `${id}-panel` : undefined}
        className={styles.button}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || isOpen) return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        <span>{value === '' ? placeholder : formatDay(value, language)}</span>
        <Icon name="calendar" size={14} />
      </button>
      {isOpen && (
        <DateBox
          id={`${id}-panel`}
          label={label}
          value={value}
          today={today}
          button={button}
          onClose={() => setOpen(false)}
          onChosen={(day) => {
            setOpen(false);
            onChange(day);
          }}
        />
      )}
    </>
  );
}
