import type { TopupRow } from '@hengfu/contract/topups';
import { networks } from '@hengfu/contract/wallets';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatDecimal } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { AuditLink } from '../../shared/audit-link.tsx';
import { Failure } from '../../shared/failure.tsx';
import { orderNumberField } from '../../shared/names/order-number.ts';
import styles from './topup.module.css';
import { topupLooks } from './topup-looks.ts';
import { screenshotOptions, topupDetailKey, topupOptions } from './topups.api.ts';

/** Shows one top-up: first the list's row, then the full detail once it has loaded. */
export function TopupDetail({ tradeNo, row }: { tradeNo: string; row: TopupRow | undefined }): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(topupOptions(tradeNo));
  useLive(['topups'], topupDetailKey);
  const topup = data ?? row;
  return (
    <>
      {error && <Failure error={error} isStale={topup !== undefined} onRetry={() => void refetch()} />}
      {(topup || !error) && (
        <Figures isBusy={topup === undefined}>
          <Figure
            label={t('topups.usdt')}
            value={topup && <Money amount={topup.usdt} currency="USDT" />}
            size="lead"
            note={topup && <StatusTag look={topupLooks[topup.status]} />}
          />
          <Figure
            label={t('topups.amount')}
            value={topup && <Money amount={topup.amount} currency={topup.currency} />}
          />
          <Figure
            label={t('topups.usd')}
            value={topup && (topup.usd === null ? '–' : <Money amount={topup.usd} currency="USD" />)}
          />
        </Figures>
      )}
      {topup?.rejectReason && <Notice tone="bad">{topup.rejectReason}</Notice>}
      {topup && <TopupFields topup={topup} />}
      {topup && <Screenshot tradeNo={topup.trade_no} />}
    </>
  );
}

function TopupFields({ topup }: { topup: TopupRow }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { transactionId, network, arrivedUsdt, usdRate } = topup;
  const rateText = (rate: string, currency: string) =>
    `1 USDT = ${formatDecimal(rate, language)} ${currency}`;
  return (
    <Section title={t('topups.details')} extra={<AuditLink subject={topup.trade_no} />}>
      <Fields
        fields={[
          orderNumberField(t, t('topups.trade_no'), topup.trade_no),
          { label: t('topups.coin'), value: topup.coin },
          {
            label: t('topups.arrivedUsdt'),
            value: arrivedUsdt && <Money amount={arrivedUsdt} currency="USDT" />,
          },
          { label: t('topups.rate'), value: rateText(topup.rate, topup.currency) },
          { label: t('topups.usdRate'), value: usdRate && rateText(usdRate, 'USD') },
          { label: t('topups.network'), value: t(`withdrawals.networks.${network}`) },
          { label: t('topups.address'), value: topup.address, copy: topup.address, isWide: true },
          {
            label: t('topups.transactionId'),
            value: (
              <a href={networks[network].explorer + transactionId} target="_blank" rel="noreferrer">
                {transactionId}
              </a>
            ),
            copy: transactionId,
            isWide: true,
          },
          { label: t('topups.createdAt'), value: <TimeText at={topup.createdAt} /> },
          { label: t('topups.reviewedAt'), value: <TimeText at={topup.reviewedAt} /> },
          { label: t('topups.paidAt'), value: <TimeText at={topup.paidAt} /> },
        ]}
      />
    </Section>
  );
}

function Screenshot({ tradeNo }: { tradeNo: string }): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(screenshotOptions(tradeNo));
  return (
    <Section title={t('topups.screenshot')}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && (
        <img
          className={styles.screenshot}
          src={`data:${data.type};base64,${data.base64}`}
          alt={t('topups.screenshot')}
        />
      )}
    </Section>
  );
}
