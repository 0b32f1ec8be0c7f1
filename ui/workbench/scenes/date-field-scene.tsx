import { type ReactElement, useState } from 'react';
import { useT } from '../../src/language/i18n.ts';
import { DateField } from '../../src/overlays/date-field.tsx';

/** A day, chosen in a calendar or typed. */
export function DateFieldScene(): ReactElement {
  const t = useT();
  const [day, setDay] = useState('2026-03-04');
  return (
    <>
      <h1>Date field</h1>
      <label htmlFor="day">{t('ui.fromDay')}</label>
      <DateField id="day" label={t('ui.fromDay')} value={day} today="2026-03-10" onChange={setDay} />
    </>
  );
}
