import { ComboboxField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { useUser } from '../../platform/session-store.ts';

/** The time zone in which times are shown: the merchant's, or the user's own choice. */
export function ZoneField({ form }: { form: FormState }): ReactElement {
  const t = useT();
  const { zone, merchant } = useUser();
  const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])];
  const merchantZone = t('profile.merchantZone', { zone: merchant.zone });
  return (
    <ComboboxField
      form={form}
      name="zone"
      label={t('profile.zone')}
      hint={t('profile.zoneHint')}
      placeholder={merchantZone}
      defaultValue={zone === merchant.zone ? '' : zone}
      options={[{ value: '', label: merchantZone }, ...zones.map((name) => ({ value: name, label: name }))]}
    />
  );
}
