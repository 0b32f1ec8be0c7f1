import { type ReactElement, useId, useState } from 'react';
import { useT } from '../../platform/i18n.ts';
import { useUser } from '../../platform/session-store.ts';
import { buttonClass } from '../button.tsx';
import { dayOf, offsetText } from '../zone.ts';
import { Calendar } from './calendar.tsx';
import {
  type DraftFault,
  dayPresets,
  draftOf,
  presetOf,
  presetRange,
  rangeOf,
  type WallTime,
} from './day-range.ts';
import styles from './filters.module.css';
import type { ChangeSearch, FilterOfKind } from './list-types.ts';
import { FormButtons } from './text-filter.tsx';

/** A span of time in the merchant's zone: ready-made, by the calendar, or typed to the minute. Loaded when opened. */
export function DaysForm({
  filter,
  from,
  to,
  apply,
}: {
  filter: FilterOfKind<'days'>;
  from: string | undefined;
  to: string | undefined;
  apply: ChangeSearch;
}): ReactElement {
  const t = useT();
  const id = useId();
  const { zone } = useUser().merchant;
  const [nowMs] = useState(Date.now);
  const [draft, setDraft] = useState(() => draftOf({ from, to }, zone));
  const [fault, setFault] = useState<DraftFault>();
  const preset = presetOf({ from, to }, nowMs, zone);

  const end = (name: 'from' | 'to', dayLabel: string, timeLabel: string, hint: string) => {
    const set = (change: Partial<WallTime>) => setDraft({ ...draft, [name]: { ...draft[name], ...change } });
    const shared = {
      type: 'text',
      autoComplete: 'off',
      'aria-invalid': fault === name || (fault === 'order' && name === 'to'),
      'aria-describedby': fault ? id : undefined,
    } as const;
    return (
      <div className={styles.moment}>
        <label className={styles.field}>
          {dayLabel}
          <input
            {...shared}
            placeholder="YYYY-MM-DD"
            value={draft[name].day}
            onChange={(event) => set({ day: event.target.value.trim() })}
          />
        </label>
        <label className={styles.field}>
          {timeLabel}
          <input
            {...shared}
            placeholder={hint}
            value={draft[name].time}
            onChange={(event) => set({ time: event.target.value.trim() })}
          />
        </label>
      </div>
    );
  };
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const range = rangeOf(draft, zone);
        if (typeof range === 'string') setFault(range);
        else apply({ [filter.from]: range.from, [filter.to]: range.to });
      }}
    >
      <div className={styles.days}>
        <div className={styles.presets}>
          {dayPresets.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === preset}
              className={buttonClass('quiet')}
              onClick={() => {
                const range = presetRange(name, nowMs, zone);
                apply({ [filter.from]: range.from, [filter.to]: range.to });
              }}
            >
              {t(`ui.preset.${name}`)}
            </button>
          ))}
        </div>
        <Calendar
          first={draft.from.day}
          last={draft.to.day}
          today={dayOf(nowMs, zone)}
          onPick={(first, last) => {
            setFault(undefined);
            setDraft({ from: { day: first, time: '00:00' }, to: { day: last, time: '24:00' } });
          }}
        />
      </div>
      <div className={styles.pair}>
        {end('from', t('ui.fromDay'), t('ui.fromTime'), '00:00')}
        {end('to', t('ui.toDay'), t('ui.toTime'), '24:00')}
      </div>
      {fault && (
        <p id={id} role="alert" className={styles.fault}>
          {t(fault === 'order' ? 'ui.daysOrder' : 'ui.daysFormat')}
        </p>
      )}
      <p className={styles.zone}>{t('ui.zone', { zone, offset: offsetText(nowMs, zone) })}</p>
      <FormButtons onClear={() => apply({ [filter.from]: undefined, [filter.to]: undefined })} />
    </form>
  );
}
