import type { ReactElement } from 'react';
import { useT } from '../../platform/i18n.ts';
import { useUser } from '../../platform/session-store.ts';
import { SelectField } from '../../ui/form.tsx';
import type { FormState } from '../../ui/use-form.ts';

/** The time zone in which times are shown: the merchant's, or the user's own choice. */
export function ZoneField({ form }: { form: FormState }): ReactElement {
  const t = useT();
  const { zone, merchant } = useUser();
  const zones = Intl.supportedValuesOf('timeZone');
  return (
    <SelectField
      form={form}
      name="zone"
      label={t('profile.zone')}
      hint={t('profile.zoneHint')}
      defaultValue={zone === merchant.zone ? '' : zone}
    >
      <option value="">{t('profile.merchantZone', { zone: merchant.zone })}</option>
      {[...new Set([...zones, 'UTC'])].map((name) => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  );
}
