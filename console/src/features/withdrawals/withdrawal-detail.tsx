import { networks } from '@hengfu/contract/wallets';
import type { WithdrawalRow } from '@hengfu/contract/withdrawals';
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
import { ApprovalStateTag } from '../../shared/names/approval-state.tsx';
import { orderNumberField } from '../../shared/names/order-number.ts';
import { ApprovalNote } from '../../shared/payments/approval-note.tsx';
import { withdrawalLooks } from './withdrawal-looks.ts';
import { withdrawalDetailKey, withdrawalOptions } from './withdrawals.api.ts';

/** Shows one withdrawal: first the list's row, then the full detail once it has loaded. */
export function WithdrawalDetail({
  tradeNo,
  row,
}: {
  tradeNo: string;
  row: WithdrawalRow | undefined;
}): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(withdrawalOptions(tradeNo));
  useLive(['withdrawals'], withdrawalDetailKey);
  const order = data ?? row;
  return (
    <>
      {error && <Failure error={error} isStale={order !== undefined} onRetry={() => void refetch()} />}
      {(order || !error) && (
        <Figures isBusy={order === undefined}>
          <Figure
            label={t('withdrawals.usdt')}
            value={order && <Money amount={order.usdt} currency="USDT" />}
            size="lead"
            note={order && <StatusTag look={withdrawalLooks[order.status]} />}
          />
          <Figure
            label={t('withdrawals.amount')}
            value={order && <Money amount={order.amount} currency={order.currency} />}
          />
          <Figure
            label={t('withdrawals.usd')}
            value={order && (order.usd === null ? '–' : <Money amount={order.usd} currency="USD" />)}
          />
          <Figure
            label={t('withdrawals.fee')}
            value={order && <Money amount={order.fee} currency={order.currency} />}
          />
        </Figures>
      )}
      {order && <ApprovalNote state={order.approvalState} tradeNo={order.trade_no} />}
      {order?.rejectReason && <Notice tone="bad">{order.rejectReason}</Notice>}
      {order && <OrderFields order={order} />}
    </>
  );
}

function OrderFields({ order }: { order: WithdrawalRow }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { transactionId, network, usdRate } = order;
  const rateText = (rate: string, currency: string) =>
    `1 USDT = ${formatDecimal(rate, language)} ${currency}`;
  return (
    <Section title={t('withdrawals.details')} extra={<AuditLink subject={order.trade_no} />}>
      <Fields
        fields={[
          orderNumberField(t, t('withdrawals.trade_no'), order.trade_no),
          { label: t('withdrawals.coin'), value: order.coin },
          {
            label: t('withdrawals.total'),
            value: <Money amount={order.total} currency={order.currency} />,
          },
          ...(order.approvalState === null
            ? []
            : [
                {
                  label: t('approvals.stateLabel'),
                  value: <ApprovalStateTag state={order.approvalState} />,
                },
              ]),
          { label: t('withdrawals.rate'), value: rateText(order.rate, order.currency) },
          { label: t('withdrawals.usdRate'), value: usdRate && rateText(usdRate, 'USD') },
          { label: t('withdrawals.network'), value: t(`withdrawals.networks.${network}`) },
          { label: t('withdrawals.address'), value: order.address, copy: order.address, isWide: true },
          {
            label: t('withdrawals.transactionId'),
            value: transactionId && (
              <a href={networks[network].explorer + transactionId} target="_blank" rel="noreferrer">
                {transactionId}
              </a>
            ),
            copy: transactionId ?? undefined,
            isWide: transactionId !== null,
          },
          { label: t('withdrawals.createdAt'), value: <TimeText at={order.createdAt} /> },
          { label: t('withdrawals.reviewedAt'), value: <TimeText at={order.reviewedAt} /> },
          { label: t('withdrawals.paidAt'), value: <TimeText at={order.paidAt} /> },
        ]}
      />
    </Section>
  );
}
