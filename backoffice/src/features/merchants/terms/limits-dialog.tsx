import { limitNames, type MerchantLimits } from '@hengfu/contract/staff/limits';
import { merchantSettingsEndpoints } from '@hengfu/contract/staff/merchant-settings';
import { TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type ReactElement, useState } from 'react';
import { AskDialog } from '../ask-dialog.tsx';
import styles from '../merchants.module.css';
import { limitLabels } from './limit-labels.ts';
import { plainAmount } from './plain-amount.ts';

interface LimitsDialogProps {
  code: string;
  /** The limits in force, which the fields begin with. */
  current: MerchantLimits;
  onClose: () => void;
}

/** Asks for other limits. */
export function LimitsDialog({ code, current, onClose }: LimitsDialogProps): ReactElement {
  const t = useT();
  // The fields keep their values while the page is read again.
  const [seen] = useState(current);
  return (
    <AskDialog
      endpoint={merchantSettingsEndpoints.askLimits}
      code={code}
      title={t('officeMerchants.newLimits')}
      text={t('officeMerchants.newLimitsText')}
      seen={{ seen }}
      onClose={onClose}
    >
      {(form) => (
        <div className={styles.pairs}>
          {limitNames.map((name) => (
            <TextField
              key={name}
              form={form}
              name={name}
              label={t(limitLabels[name])}
              defaultValue={plainAmount(seen[name] ?? '')}
              inputMode="decimal"
              autoComplete="off"
            />
          ))}
        </div>
      )}
    </AskDialog>
  );
}
