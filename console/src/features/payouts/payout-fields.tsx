import type { PayoutDetail, PayoutRow } from '@hengfu/contract/payouts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { BankName } from '@hengfu/ui/orders/bank-name.tsx';
import { ChannelName } from '@hengfu/ui/orders/channel-name.tsx';
import { type Field, Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useUser } from '../../platform/session-store.ts';
import { AuditLink } from '../../shared/audit-link.tsx';
import { orderNumberField } from '../../shared/names/order-number.ts';
import { batchTarget } from '../../shared/payments/batch-target.ts';
import { RequestsLink } from '../../shared/requests-link.tsx';

/** Every field that a payout has; `detail` adds those that the list's row lacks. */
export function PayoutFields({
  order,
  detail,
}: {
  order: PayoutRow;
  detail: PayoutDetail | undefined;
}): ReactElement {
  const t = useT();
  const own: readonly (Field | false | undefined)[] = [
    order.bank !== null && {
      label: t('payouts.bank'),
      value: <BankName channel={order.channel} code={order.bank} />,
    },
    order.bankName !== null && { label: t('payouts.bankName'), value: order.bankName },
    order.branchName !== null && { label: t('payouts.branchName'), value: order.branchName },
    order.ifsc !== null && { label: t('payouts.ifsc'), value: order.ifsc, copy: order.ifsc },
    order.accountType !== null && {
      label: t('payouts.accountType'),
      value: t(`payouts.pixKey.${order.accountType}`),
    },
    order.taxId !== null && { label: t('payouts.taxId'), value: order.taxId },
    detail?.remark && { label: t('payouts.remark'), value: detail.remark },
    detail?.batch_no && {
      label: t('payoutBatches.followBatch'),
      value: <BatchLink batchNo={detail.batch_no} />,
    },
  ].map((field) => field || undefined);
  const fields: Field[] = [
    orderNumberField(t, t('payouts.trade_no'), order.trade_no),
    { label: t('payouts.out_trade_no'), value: order.out_trade_no, copy: order.out_trade_no ?? undefined },
    { label: t('payouts.payee'), value: order.payee, copy: order.payee },
    { label: t('payouts.payeeAccount'), value: order.payeeAccount, copy: order.payeeAccount },
    { label: t('payouts.channel'), value: <ChannelName code={order.channel} /> },
    ...own.filter((field): field is Field => Boolean(field)),
    {
      label: t('payouts.bankReference'),
      value: detail?.bankReference,
      copy: detail?.bankReference ?? undefined,
    },
    { label: t('payouts.createdAt'), value: <TimeText at={order.createdAt} /> },
    { label: t('payouts.paidAt'), value: <TimeText at={order.paidAt} /> },
    { label: t('payouts.rejectedAt'), value: <TimeText at={order.rejectedAt} /> },
    { label: t('payouts.createdBy'), value: detail?.createdBy },
    { label: t('payouts.sourceLabel'), value: detail && t(`payouts.source.${detail.source}`) },
  ];
  return (
    <Section
      title={t('payouts.details')}
      extra={
        <>
          <RequestsLink order={order.trade_no} /> <AuditLink subject={order.trade_no} />
        </>
      }
    >
      <Fields fields={fields} />
    </Section>
  );
}

function BatchLink({ batchNo }: { batchNo: string }): ReactElement {
  return <Link {...batchTarget(useUser(), batchNo)}>{batchNo}</Link>;
}
