import type { ReplyOf } from '@hengfu/contract/endpoint';
import { withdrawalTermsEndpoints } from '@hengfu/contract/staff/merchant-terms';
import type { staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import { TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type ReactElement, useState } from 'react';
import { AskDialog } from '../ask-dialog.tsx';
import styles from '../merchants.module.css';
import { plainAmount } from './plain-amount.ts';

type Version = ReplyOf<typeof staffMerchantEndpoints.terms>['data']['withdrawals'][number];

/** Asks for new terms of withdrawals. */
export function WithdrawalTermsDialog({
  code,
  versions,
  onClose,
}: {
  code: string;
  /** All versions of the terms, the newest first. The fields begin with those in force. */
  versions: readonly Version[];
  onClose: () => void;
}): ReactElement {
  const t = useT();
  // The fields keep their values while the page is read again.
  const [seen] = useState(versions);
  const current = seen.find(({ isInForce }) => isInForce);
  return (
    <AskDialog
      endpoint={withdrawalTermsEndpoints.ask}
      code={code}
      title={t('officeMerchants.newTerms')}
      text={t('officeMerchants.newTermsText')}
      seen={{ seenFrom: seen[0]?.validFrom ?? null }}
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
