import { withdrawalTermsEndpoints } from '@hengfu/contract/staff/merchant-terms';
import { TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { AskDialog } from '../ask-dialog.tsx';
import styles from '../merchants.module.css';

/** Asks for new terms of withdrawals. */
export function WithdrawalTermsDialog({
  code,
  onClose,
}: {
  code: string;
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
            label={t('officeMerchants.feeUsdt')}
            inputMode="decimal"
            autoComplete="off"
          />
          <TextField
            form={form}
            name="freePerDay"
            label={t('officeMerchants.freePerDay')}
            defaultValue="0"
            inputMode="numeric"
            autoComplete="off"
          />
          <TextField
            form={form}
            name="minimum"
            label={t('officeMerchants.minimumUsdt')}
            defaultValue="10"
            inputMode="decimal"
            autoComplete="off"
          />
        </div>
      )}
    </AskDialog>
  );
}
