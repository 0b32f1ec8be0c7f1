import {
  type ComparedWithdrawal,
  type WithdrawalCaseDetail,
  withdrawalReviewEndpoints,
} from '@hengfu/contract/staff/withdrawal-reviews';
import { networks } from '@hengfu/contract/wallets';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatMoney } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
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
import { WithdrawalActions } from './withdrawal-actions.tsx';
import { withdrawalLooks } from './withdrawal-looks.ts';

/** One withdrawal: the address with its history, the amounts, and the actions that its state allows. */
export function WithdrawalDetail({ tradeNo }: { tradeNo: string }): ReactElement {
  const t = useT();
  const params = { trade_no: tradeNo };
  const { data, error, refetch } = useQuery(reading(withdrawalReviewEndpoints.get, { params }));
  useLive(['withdrawals', 'caseClaims', 'staffRequests'], [withdrawalReviewEndpoints.get.path, tradeNo]);
  return (
    <div className={styles.detail}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <Section title={tradeNo} extra={<StatusTag look={withdrawalLooks[data.status]} />} isCard>
            <Marks detail={data} />
            <Facts detail={data} />
            <WithdrawalActions detail={data} />
          </Section>
          <Compared label={t('officeWithdrawals.toWallet')} orders={data.toWallet} />
          <Compared label={t('officeWithdrawals.earlier')} orders={data.earlier} />
        </>
      )}
    </div>
  );
}

function Compared({ label, orders }: { label: string; orders: readonly ComparedWithdrawal[] }): ReactElement {
  return (
    <Section title={label} isCard>
      <ComparedList
        label={label}
        to="/withdrawals"
        orders={orders}
        lookOf={({ status }) => withdrawalLooks[status]}
      />
    </Section>
  );
}

/** Reasons to look twice, and who works on the case. */
function Marks({ detail }: { detail: WithdrawalCaseDetail }): ReactElement {
  const t = useT();
  const { claim, approvalState, isWalletKnown, isWalletShared, isDepositWallet } = detail;
  return (
    <div className={styles.marks}>
      {claim && !claim.isOwn && <Notice tone="waiting">{t('office.takenBy', { name: claim.name })}</Notice>}
      {approvalState === 'waiting' && <Notice tone="calm">{t('officeWithdrawals.merchantDecides')}</Notice>}
      {isDepositWallet && <Notice tone="bad">{t('officeWithdrawals.depositWallet')}</Notice>}
      {isWalletShared && <Notice tone="waiting">{t('officeWithdrawals.sharedWallet')}</Notice>}
      {isWalletKnown ? (
        <Notice tone="calm">{t('officeWithdrawals.knownWallet')}</Notice>
      ) : (
        <Notice tone="waiting">{t('officeWithdrawals.newWallet')}</Notice>
      )}
    </div>
  );
}

function Facts({ detail }: { detail: WithdrawalCaseDetail }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { merchant, usdt, amount, fee, total, currency, network, address, transactionId, day } = detail;
  return (
    <Fields
      fields={[
        { label: t('office.merchant'), value: merchant.name },
        { label: t('withdrawals.usdt'), value: <Money amount={usdt} currency="USDT" /> },
        { label: t('withdrawals.amount'), value: <Money amount={amount} currency={currency} /> },
        { label: t('withdrawals.fee'), value: <Money amount={fee} currency={currency} /> },
        { label: t('withdrawals.total'), value: <Money amount={total} currency={currency} /> },
        {
          label: t('officeWithdrawals.day'),
          value: t('officeWithdrawals.dayText', {
            count: day.count,
            amount: formatMoney(day.usdt, 'USDT', language),
          }),
        },
        { label: t('withdrawals.network'), value: t(`withdrawals.networks.${network}`) },
        { label: t('withdrawals.createdAt'), value: <TimeText at={detail.createdAt} /> },
        { label: t('withdrawals.address'), value: address, copy: address, isWide: true },
        {
          label: t('withdrawals.transactionId'),
          value: transactionId && (
            <a href={networks[network].explorer + transactionId} target="_blank" rel="noreferrer">
              {transactionId}
            </a>
          ),
          copy: transactionId ?? undefined,
          isWide: true,
        },
        { label: t('office.reason'), value: detail.rejectReason, isWide: true },
      ]}
    />
  );
}
