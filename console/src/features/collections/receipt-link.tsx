import { receiptEndpoints } from '@hengfu/contract/receipts';
import { Button, buttonClass } from '@hengfu/ui/controls/button.tsx';
import { CopyButton } from '@hengfu/ui/controls/copy-button.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import styles from './collection-detail.module.css';

/** Leads to the receipt that the payer of a paid order has. */
export function ReceiptLink({ tradeNo }: { tradeNo: string }): ReactElement {
  const t = useT();
  const find = useAction({
    mutationFn: () => call(receiptEndpoints.link, { params: { trade_no: tradeNo } }),
  });
  const url = find.data?.data.url;
  return (
    <Section title={t('receipts.forPayer')}>
      <p className={styles.receiptText}>{t(url === null ? 'receipts.ended' : 'receipts.forPayerText')}</p>
      <div className={styles.receipt}>
        {url === undefined ? (
          <Button aria-disabled={find.isPending} onClick={() => find.mutate()}>
            {t('receipts.show')}
          </Button>
        ) : (
          url !== null && (
            <>
              <a className={buttonClass('outline')} href={url} target="_blank" rel="noreferrer">
                {t('receipts.open')}
              </a>
              <CopyButton text={url} name={t('receipts.link')} />
            </>
          )
        )}
      </div>
    </Section>
  );
}
