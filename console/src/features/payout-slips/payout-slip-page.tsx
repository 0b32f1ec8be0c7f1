import { localeOf } from '@hengfu/contract/languages';
import { type PayoutSlip, payoutSlipEndpoints } from '@hengfu/contract/payout-slips';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { chooseLanguage } from '@hengfu/ui/controls/choose-language.ts';
import { Select } from '@hengfu/ui/controls/select.tsx';
import { formatInstant } from '@hengfu/ui/language/format.ts';
import { languages, useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { languageNames } from '@hengfu/ui/language/languages.ts';
import { BankName } from '@hengfu/ui/orders/bank-name.tsx';
import { ChannelName } from '@hengfu/ui/orders/channel-name.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { QrCode } from '@hengfu/ui/values/qr-code.tsx';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { productTitle } from '../../platform/boot.ts';
import { BrandMark } from '../../platform/brand-mark.tsx';
import { useDocumentTitle } from '../../platform/document-title.ts';
import { queryClient } from '../../platform/query-client.ts';
import { reading } from '../../platform/reading.ts';
import { Failure } from '../../shared/failure.tsx';
import styles from './payout-slips.module.css';

/** The receipt of a paid payout, for anyone with its link, on screen and in print. */
export function PayoutSlipPage({ token }: { token: string }): ReactElement {
  return (
    <QueryClientProvider client={queryClient}>
      <SlipOfToken token={token} />
    </QueryClientProvider>
  );
}

function SlipOfToken({ token }: { token: string }): ReactElement {
  const t = useT();
  useDocumentTitle(t('payoutSlips.title'));
  const { data, error, refetch } = useQuery(reading(payoutSlipEndpoints.get, { params: { token } }));
  return (
    <main className={styles.page}>
      <header className={styles.bar}>
        <LanguageSelect />
        {data && (
          <Button look="primary" onClick={() => print()}>
            {t('payoutSlips.print')}
          </Button>
        )}
      </header>
      {!data && <h1>{t('payoutSlips.title')}</h1>}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && <Slip slip={data} />}
    </main>
  );
}

function Slip({ slip }: { slip: PayoutSlip }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const when = (at: string) => formatInstant(at, slip.zone, language, 'full');
  const rows: readonly (readonly [string, ReactElement | string | null])[] = [
    [t('payouts.trade_no'), slip.trade_no],
    [t('payoutSlips.payer'), slip.merchant],
    [t('payouts.payee'), slip.payee],
    [t('payouts.payeeAccount'), slip.payeeAccount],
    [t('payouts.bank'), slip.bank && <BankName channel={slip.channel} code={slip.bank} />],
    [t('payouts.bankName'), slip.bankName],
    [t('payouts.channel'), <ChannelName key="channel" code={slip.channel} />],
    [t('payouts.bankReference'), slip.bankReference],
    [t('payouts.remark'), slip.remark],
    [t('payouts.createdAt'), when(slip.createdAt)],
    [t('payouts.paidAt'), when(slip.paidAt)],
  ];
  return (
    <article className={styles.slip}>
      <header className={styles.head}>
        <BrandMark size={32} />
        <span>{productTitle}</span>
      </header>
      <h1>{t('payoutSlips.title')}</h1>
      <p className={styles.amount}>
        <Money amount={slip.amount} currency={slip.currency} />
        <span className={styles.currency}>{slip.currency}</span>
      </p>
      <p className={styles.paid}>{t('payoutSlips.paid')}</p>
      <dl className={styles.rows}>
        {rows
          .filter(([, value]) => value !== null)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <footer className={styles.check}>
        <QrCode content={slip.url} label={t('payoutSlips.qr')} />
        <div>
          <p>{t('payoutSlips.check', { at: when(slip.expiresAt) })}</p>
          <p className={styles.url}>{slip.url}</p>
        </div>
      </footer>
    </article>
  );
}

function LanguageSelect(): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <Select
      aria-label={t('shell.language')}
      value={language}
      onChange={({ target }) => {
        const chosen = languages.find((candidate) => candidate === target.value);
        if (chosen) chooseLanguage(chosen);
      }}
    >
      {languages.map((candidate) => (
        <option key={candidate} value={candidate} lang={localeOf[candidate]}>
          {languageNames[candidate]}
        </option>
      ))}
    </Select>
  );
}
