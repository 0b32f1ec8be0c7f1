import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { localeOf } from '../../platform/languages.ts';
import { IconButton } from '../button.tsx';
import { addDays } from '../zone.ts';
import styles from './calendar.module.css';
import { addMonths, monthGrid, monthName, weekdayNames } from './month-grid.ts';

interface CalendarProps {
  /** First and last day chosen, `YYYY-MM-DD`; '' where open. */
  first: string;
  last: string;
  /** Today in the merchant's zone. */
  today: string;
  /** One day first (twice the same), then the span between it and the second one. */
  onPick: (first: string, last: string) => void;
}

/** Days that the keys move the focus by. */
const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** A month of days to choose a span from: pick the first, then the last. Arrow keys walk, Page Up and Down turn. */
export function Calendar({ first, last, today, onPick }: CalendarProps): ReactElement {
  const language = useLanguage();
  const locale = localeOf[language];
  const [focused, setFocused] = useState(last || first || today);
  const [anchor, setAnchor] = useState<string>();
  const month = focused.slice(0, 7);
  const table = useRef<HTMLTableElement>(null);
  const isWalking = useRef(false);
  useEffect(() => {
    if (isWalking.current) table.current?.querySelector<HTMLElement>(`[data-day="${focused}"]`)?.focus();
    isWalking.current = false;
  }, [focused]);

  const pick = (day: string) => {
    setFocused(day);
    if (anchor === undefined) onPick(day, day);
    else onPick(anchor < day ? anchor : day, anchor < day ? day : anchor);
    setAnchor(anchor === undefined ? day : undefined);
  };
  const walk = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const turn = { PageUp: -1, PageDown: 1 }[event.key];
    if (step === undefined && turn === undefined) return;
    event.preventDefault();
    isWalking.current = true;
    setFocused(turn === undefined ? addDays(focused, step ?? 0) : addMonths(focused, turn));
  };
  return (
    <div className={styles.calendar}>
      <MonthHead name={monthName(month, locale)} onTurn={(count) => setFocused(addMonths(focused, count))} />
      <table ref={table} onKeyDown={walk}>
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
