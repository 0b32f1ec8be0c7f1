import {
  type ComparedTopup,
  type TopupCaseDetail,
  topupReviewEndpoints,
} from '@hengfu/contract/staff/topup-reviews';
import { networks } from '@hengfu/contract/wallets';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import styles from '../../shared/cases/cases.module.css';
import { ComparedList } from '../../shared/cases/compared-list.tsx';
import { Failure } from '../../shared/failure.tsx';
import { CaseActions } from './case-actions.tsx';
import { topupLooks } from './topup-looks.ts';

/** One top-up: the screenshot beside the claim, what it is compared with, and the actions that its state allows. */
export function CaseDetail({ tradeNo }: { tradeNo: string }): ReactElement {
  const t = useT();
  const params = { trade_no: tradeNo };
  const { data, error, refetch } = useQuery(reading(topupReviewEndpoints.get, { params }));
  useLive(['topups', 'caseClaims', 'staffRequests'], [topupReviewEndpoints.get.path, tradeNo]);
  return (
    <div className={styles.detail}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <Section title={tradeNo} extra={<StatusTag look={topupLooks[data.status]} />} isCard>
            <Marks detail={data} />
            <div className={styles.evidence}>
              <div>
                <Screenshot tradeNo={tradeNo} />
              </div>
              <div>
                <Claim detail={data} />
              </div>
            </div>
            <CaseActions detail={data} />
          </Section>
          <Section title={t('office.sameTransaction')} isCard>
            <Compared label={t('office.sameTransaction')} topups={data.sameTransaction} />
          </Section>
          <Section title={t('office.sameImage')} isCard>
            <Compared label={t('office.sameImage')} topups={data.sameImage} />
          </Section>
          <Section title={t('office.earlier')} isCard>
            <Compared label={t('office.earlier')} topups={data.earlier} />
          </Section>
        </>
      )}
    </div>
  );
}

function Compared({ label, topups }: { label: string; topups: readonly ComparedTopup[] }): ReactElement {
  return (
    <ComparedList label={label} to="/topups" orders={topups} lookOf={({ status }) => topupLooks[status]} />
  );
}

/** Reasons to look twice, and who works on the case. */
function Marks({ detail }: { detail: TopupCaseDetail }): ReactElement {
  const t = useT();
  const { claim, isImageKnown, isTransactionKnown, isCurrentWallet } = detail;
  return (
    <div className={styles.marks}>
      {claim && !claim.isOwn && <Notice tone="waiting">{t('office.takenBy', { name: claim.name })}</Notice>}
      {isTransactionKnown && <Notice tone="waiting">{t('office.knownTransaction')}</Notice>}
      {isImageKnown && <Notice tone="waiting">{t('office.knownImage')}</Notice>}
      {!isCurrentWallet && <Notice tone="waiting">{t('office.earlierWallet')}</Notice>}
    </div>
  );
}

function Claim({ detail }: { detail: TopupCaseDetail }): ReactElement {
  const t = useT();
  const { merchant, usdt, amount, currency, network, transactionId, address, arrivedUsdt } = detail;
  return (
    <Section title={t('office.claimed')}>
      <Fields
        isNarrow
        fields={[
          { label: t('office.merchant'), value: merchant.name },
          { label: t('topups.usdt'), value: <Money amount={usdt} currency="USDT" /> },
          {
            label: t('topups.arrivedUsdt'),
            value: arrivedUsdt && <Money amount={arrivedUsdt} currency="USDT" />,
          },
          { label: t('topups.amount'), value: <Money amount={amount} currency={currency} /> },
          { label: t('topups.network'), value: t(`withdrawals.networks.${network}`) },
          { label: t('topups.address'), value: address, copy: address },
          {
            label: t('topups.transactionId'),
            value: (
              <a href={networks[network].explorer + transactionId} target="_blank" rel="noreferrer">
                {transactionId}
              </a>
            ),
            copy: transactionId,
          },
          { label: t('topups.createdAt'), value: <TimeText at={detail.createdAt} /> },
          { label: t('office.reason'), value: detail.rejectReason },
        ]}
      />
    </Section>
  );
}

function Screenshot({ tradeNo }: { tradeNo: string }): ReactElement {
  const t = useT();
  const params = { trade_no: tradeNo };
  const { data, error, refetch } = useQuery({
    ...reading(topupReviewEndpoints.screenshot, { params }),
    staleTime: Number.POSITIVE_INFINITY,
  });
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
