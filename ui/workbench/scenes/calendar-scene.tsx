import { type ReactElement, useState } from 'react';
import { Calendar } from '../../src/controls/calendar.tsx';

/** A range of days, picked by its first and its last one. */
export function CalendarScene(): ReactElement {
  const [range, setRange] = useState({ first: '2026-03-04', last: '2026-03-04' });
  return (
    <>
      <h1>Calendar</h1>
      <Calendar {...range} today="2026-03-10" onPick={(first, last) => setRange({ first, last })} />
      <p role="status">
        {range.first} – {range.last}
      </p>
    </>
  );
}
