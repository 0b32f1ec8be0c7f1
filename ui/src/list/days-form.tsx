import { type ReactElement, useState } from 'react';
import { buttonClass } from '../controls/button.tsx';
import { Calendar } from '../controls/calendar.tsx';
import { offsetText } from '../language/format.ts';
import { useT } from '../language/i18n.ts';
import { useUiSettings } from '../language/ui-settings.ts';
import { dayOf } from '../language/zone.ts';
import {
  type DayPreset,
  type DraftFault,
  dayPresets,
  draftOf,
  type InstantRange,
  presetOf,
  presetRange,
  rangeOf,
  type WallTime,
} from './day-range.ts';
import styles from './filters.module.css';
import type { ChangeSearch, FilterOfKind } from './list-types.ts';
import { RangeForm } from './range-form.tsx';

/**
 * Form of a time range filter in the user's zone: a preset, picked in the calendar, or typed to the minute.
 */
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
  const { zone } = useUiSettings();
  const [nowMs] = useState(Date.now);
  const [draft, setDraft] = useState(() => draftOf({ from, to }, zone));
  const [fault, setFault] = useState<DraftFault>();

  const applyRange = (range: InstantRange) => apply({ [filter.from]: range.from, [filter.to]: range.to });
  const submit = () => {
    const isEmpty = draft.from.day === '' && draft.to.day === '';
    if (isEmpty && from === undefined && to === undefined) return setFault('from');
    const range = rangeOf(draft, zone);
    if (typeof range === 'string') setFault(range);
    else applyRange(range);
  };
  const endProps = (name: 'from' | 'to', faultId: string | undefined) => ({
    value: draft[name],
    isWrong: fault === name || (fault === 'order' && name === 'to'),
    faultId,
    onChange: (change: Partial<WallTime>) => setDraft({ ...draft, [name]: { ...draft[name], ...change } }),
  });
  const pick = (first: string, last: string) => {
    setFault(undefined);
    setDraft({ from: { day: first, time: '00:00' }, to: { day: last, time: '24:00' } });
  };
  return (
    <RangeForm
      fault={fault && t(fault === 'order' ? 'ui.daysOrder' : 'ui.daysFormat')}
      note={<p className={styles.zone}>{t('ui.zone', { zone, offset: offsetText(nowMs, zone) })}</p>}
      onSubmit={submit}
      onClear={() => applyRange({ from: undefined, to: undefined })}
    >
      {(faultId) => (
        <>
          <div className={styles.days}>
            <Presets
              chosen={presetOf({ from, to }, nowMs, zone)}
              onChoose={(preset) => applyRange(presetRange(preset, nowMs, zone))}
            />
            <Calendar first={draft.from.day} last={draft.to.day} today={dayOf(nowMs, zone)} onPick={pick} />
          </div>
          <div className={styles.pair}>
            <EndFields
              dayLabel={t('ui.fromDay')}
              timeLabel={t('ui.fromTime')}
              wholeDay="00:00"
              {...endProps('from', faultId)}
            />
            <EndFields
              dayLabel={t('ui.toDay')}
              timeLabel={t('ui.toTime')}
              wholeDay="24:00"
              {...endProps('to', faultId)}
            />
          </div>
        </>
      )}
    </RangeForm>
  );
}

function Presets({
  chosen,
  onChoose,
}: {
  chosen: DayPreset | undefined;
  onChoose: (preset: DayPreset) => void;
}): ReactElement {
  const t = useT();
  return (
    <div className={styles.presets}>
      {dayPresets.map((preset) => (
        <button
          key={preset}
          type="button"
          aria-pressed={preset === chosen}
          className={buttonClass('quiet')}
          onClick={() => onChoose(preset)}
        >
          {t(`ui.preset.${preset}`)}
        </button>
      ))}
    </div>
  );
}

interface EndFieldsProps {
  dayLabel: string;
  timeLabel: string;
  /** The time that an empty time field means. */
  wholeDay: string;
  value: WallTime;
  isWrong: boolean;
  faultId: string | undefined;
  onChange: (change: Partial<WallTime>) => void;
}

/** Text fields for one end of the range: a day, and an optional time. */
function EndFields(props: EndFieldsProps): ReactElement {
  const { dayLabel, timeLabel, wholeDay, value, isWrong, faultId, onChange } = props;
  const shared = {
    type: 'text',
    autoComplete: 'off',
    'aria-invalid': isWrong,
    'aria-describedby': faultId,
  } as const;
  return (
    <div className={styles.moment}>
      <label className={styles.field}>
        {dayLabel}
        <input
          {...shared}
          placeholder="YYYY-MM-DD"
          value={value.day}
          onChange={(event) => onChange({ day: event.target.value.trim() })}
        />
      </label>
      <label className={styles.field}>
        {timeLabel}
        <input
          {...shared}
          placeholder={wholeDay}
          value={value.time}
          onChange={(event) => onChange({ time: event.target.value.trim() })}
        />
      </label>
    </div>
  );
}
