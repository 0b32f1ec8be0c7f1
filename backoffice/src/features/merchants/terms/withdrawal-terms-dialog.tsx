import { withdrawalTermsEndpoints } from '@hengfu/contract/staff/merchant-terms';
import { TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { AskDialog } from '../ask-dialog.tsx';
import styles from '../merchants.module.css';
import { plainAmount } from './plain-amount.ts';

/** Asks for new terms of withdrawals. */
export function WithdrawalTermsDialog({
  code,
  current,
  onClose,
}: {
  code: string;
  /** The terms in force, which the fields begin with. */
  current: { fee: string; freePerDay: number; minimum: string } | undefined;
  onClose: () => void;
}): ReactElement {
  const t = useT();
  return (
    <AskDialog
      endpoint={withdrawalTermsEndpoints.ask}
      code={code}
      title={t('officeMerchants.newTerms')}
      text={t('officeMerchants.newTermsText')}
      onClose={onClose}
    >
      {(form) => (
        <div className={styles.pairs}>
          <TextField
            form={form}
            name="fee"
            defaultValue={current && plainAmount(current.fee)}
            label={t('officeMerchants.feeUsdt')}
            inputMode="decimal"
            autoComplete="off"
          />
          <TextField
            form={form}
            name="freePerDay"
            label={t('officeMerchants.freePerDay')}
            defaultValue={current?.freePerDay ?? 0}
            inputMode="numeric"
            autoComplete="off"
          />
          <TextField
            form={form}
            name="minimum"
            label={t('officeMerchants.minimumUsdt')}
            defaultValue={current ? plainAmount(current.minimum) : '10'}
            inputMode="decimal"
            autoComplete="off"
          />
        </div>
      )}
    </AskDialog>
  );
}
