import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { localeOf } from '../../platform/languages.ts';
import { IconButton } from '../button.tsx';
import { addDays } from '../zone.ts';
import styles from './calendar.module.css';
import { addMonths, monthGrid, monthName, weekdayNames } from './month-grid.ts';

interface CalendarProps {
  /** First and last selected day, `YYYY-MM-DD`; '' if open. */
  first: string;
  last: string;
  /** Today in the user's zone. */
  today: string;
  /**
   * Called with a single day (as both arguments) first, then with the range between it and the second one.
   */
  onPick: (first: string, last: string) => void;
}

/** By how many days the arrow keys move the focus. */
const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/**
 * A month calendar for choosing a range: pick the first day, then the last. Arrow keys move by days and
 * weeks, Page Up and Page Down by months.
 */
export function Calendar({ first, last, today, onPick }: CalendarProps): ReactElement {
  const language = useLanguage();
  const locale = localeOf[language];
  const [focused, setFocused] = useState(last || first || today);
  const [anchor, setAnchor] = useState<string>();
  const month = focused.slice(0, 7);
  const table = useRef<HTMLTableElement>(null);
  const isKeyMove = useRef(false);
  useEffect(() => {
    if (isKeyMove.current) table.current?.querySelector<HTMLElement>(`[data-day="${focused}"]`)?.focus();
    isKeyMove.current = false;
  }, [focused]);

  const pick = (day: string) => {
    setFocused(day);
    if (anchor === undefined) onPick(day, day);
    else onPick(anchor < day ? anchor : day, anchor < day ? day : anchor);
    setAnchor(anchor === undefined ? day : undefined);
  };
  const moveFocus = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const months = { PageUp: -1, PageDown: 1 }[event.key];
    if (step === undefined && months === undefined) return;
    event.preventDefault();
    isKeyMove.current = true;
    setFocused(months === undefined ? addDays(focused, step ?? 0) : addMonths(focused, months));
  };
  return (
    <div className={styles.calendar}>
      <MonthHead name={monthName(month, locale)} onTurn={(count) => setFocused(addMonths(focused, count))} />
      <table ref={table} onKeyDown={moveFocus}>
        <thead>
          <tr>
            {weekdayNames(locale).map(({ long, short }) => (
              <th key={long} scope="col">
                <abbr title={long}>{short}</abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthGrid(month).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} data-in={first !== '' && last !== '' && day >= first && day <= last}>
                  <button
                    type="button"
                    data-day={day}
                    tabIndex={day === focused ? 0 : -1}
                    aria-pressed={day === first || day === last}
                    aria-current={day === today ? 'date' : undefined}
                    aria-label={`${Number(day.slice(8))} ${monthName(day.slice(0, 7), locale)}`}
                    data-other={!day.startsWith(month)}
                    onClick={() => pick(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MonthHead({ name, onTurn }: { name: string; onTurn: (months: number) => void }): ReactElement {
  const t = useT();
  return (
    <div className={styles.head}>
      <IconButton icon="chevronLeft" label={t('ui.previousMonth')} onClick={() => onTurn(-1)} />
      <span aria-live="polite">{name}</span>
      <IconButton icon="chevronRight" label={t('ui.nextMonth')} onClick={() => onTurn(1)} />
    </div>
  );
}
