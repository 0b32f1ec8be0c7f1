import { localeOf } from '@hengfu/contract/languages';
import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { useLanguage, useT } from '../language/i18n.ts';
import { addDays } from '../language/zone.ts';
import { IconButton } from './button.tsx';
import styles from './calendar.module.css';
import { addMonths, firstDayOfWeek, monthGrid, monthName, startOfWeek, weekdayNames } from './month-grid.ts';

interface CalendarProps {
  /** First and last selected day, `YYYY-MM-DD`; '' if open. The same day twice is a single day. */
  first: string;
  last: string;
  /** Today in the user's zone. */
  today: string;
  /** Only one day is chosen; otherwise a range is. */
  isSingle?: boolean;
  /**
   * Called with a single day (as both arguments) first, then with the range between it and the second one.
   */
  onPick: (first: string, last: string) => void;
}

/** By how many days the arrow keys move the focus. */
const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** The day that a key moves the focus to; undefined for other keys. Shift turns the page by years. */
function dayAfterKey({ key, shiftKey }: KeyboardEvent, from: string, firstDay: number): string | undefined {
  const months = shiftKey ? 12 : 1;
  if (key === 'PageUp') return addMonths(from, -months);
  if (key === 'PageDown') return addMonths(from, months);
  if (key === 'Home') return startOfWeek(from, firstDay);
  if (key === 'End') return addDays(startOfWeek(from, firstDay), 6);
  const step = steps[key];
  return step === undefined ? undefined : addDays(from, step);
}

/**
 * A month calendar (WAI-ARIA grid) for a day, or for a range: pick the first day, then the last. Arrow keys move by days and
 * weeks, Home and End within the week, Page Up and Page Down by months, with Shift by years.
 */
export function Calendar({ first, last, today, isSingle = false, onPick }: CalendarProps): ReactElement {
  const language = useLanguage();
  const locale = localeOf[language];
  const firstDay = firstDayOfWeek(locale);
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
    if (isSingle || anchor === undefined) onPick(day, day);
    else onPick(anchor < day ? anchor : day, anchor < day ? day : anchor);
    setAnchor(isSingle || anchor !== undefined ? undefined : day);
  };
  const moveFocus = (event: KeyboardEvent) => {
    const next = dayAfterKey(event, focused, firstDay);
    if (next === undefined) return;
    event.preventDefault();
    isKeyMove.current = true;
    setFocused(next);
  };
  const name = monthName(month, locale);
  return (
    <div className={styles.calendar}>
      <MonthHead name={name} onTurn={(count) => setFocused(addMonths(focused, count))} />
      {/* biome-ignore lint/a11y: a table is the grid that the pattern asks for; its buttons take the keys. */}
      <table ref={table} role="grid" aria-label={name} onKeyDown={moveFocus}>
        <thead>
          <tr>
            {weekdayNames(locale, firstDay).map(({ long, short }) => (
              <th key={long} scope="col">
                <abbr title={long}>{short}</abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthGrid(month, firstDay).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                // biome-ignore lint/a11y/useAriaPropsSupportedByRole: in a grid, a cell of a table is a gridcell.
                <td
                  key={day}
                  aria-selected={day === first || day === last}
                  data-in={first !== '' && last !== '' && day >= first && day <= last}
                >
                  <button
                    type="button"
                    data-day={day}
                    tabIndex={day === focused ? 0 : -1}
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
