import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { LastDayField } from '../../../shared/forms/last-day-field.tsx';

interface KeyLastDayProps {
  form: FormState;
  label: string;
  value?: string;
}

/** The last day on which a key works, or none. */
export function KeyLastDay(props: KeyLastDayProps): ReactElement {
  const t = useT();
  return (
    <LastDayField
      {...props}
      name="expiresAt"
      hint={t('accessKeys.expiryHint')}
      none={t('accessKeys.never')}
      clear={t('accessKeys.clearExpiry')}
    />
  );
}
