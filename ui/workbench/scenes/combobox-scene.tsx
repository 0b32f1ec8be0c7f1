import { type ReactElement, useState } from 'react';
import { useT } from '../../src/language/i18n.ts';
import { Combobox } from '../../src/overlays/combobox.tsx';

const zones = Intl.supportedValuesOf('timeZone');

/** A choice among all time zones. */
export function ComboboxScene(): ReactElement {
  const t = useT();
  const [zone, setZone] = useState('Asia/Shanghai');
  return (
    <>
      <h1>Combobox</h1>
      <label htmlFor="zone">{t('profile.zone')}</label>
      <Combobox
        id="zone"
        label={t('profile.zone')}
        options={zones.map((value) => ({ value, label: value }))}
        value={zone}
        placeholder={t('ui.search')}
        recentKey="workbench-zones"
        onChange={setZone}
      />
    </>
  );
}
