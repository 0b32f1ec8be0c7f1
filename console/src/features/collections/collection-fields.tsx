import type { CollectionDetail, CollectionRow } from '@hengfu/contract/collections';
import { type Translate, useT } from '@hengfu/ui/language/i18n.ts';
import { ChannelName } from '@hengfu/ui/orders/channel-name.tsx';
import { type Field, Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { AuditLink } from '../../shared/audit-link.tsx';
import { orderNumberField } from '../../shared/names/order-number.ts';
import { RequestsLink } from '../../shared/requests-link.tsx';

/** The payment link of an order, and what its payer has filled in. */
function linkFields(link: CollectionDetail['link'] | undefined, t: Translate): Field[] {
  if (!link) return [];
  return [
    {
      label: t('paymentLinks.linkOf'),
      value: (
        <Link to="/collection/links" search={{ open: link.link_no }}>
          {link.title}
        </Link>
      ),
    },
    { label: t('paymentLinks.quantity'), value: link.quantity },
    ...link.answers.map(({ field, label, value }) => ({
      label: field === 'own' ? (label ?? '') : t(`paymentLinks.field.${field}`),
      value,
      copy: value,
    })),
  ];
}

/** Every field of an order; `detail` adds those that the list's row lacks. */
export function CollectionFields({
  order,
  detail,
}: {
  order: CollectionRow;
  detail: CollectionDetail | undefined;
}): ReactElement {
  const t = useT();
  const { settlement_no: settlementNo } = order;
  const fields: Field[] = [
    orderNumberField(t, t('collections.trade_no'), order.trade_no),
    { label: t('collections.out_trade_no'), value: order.out_trade_no, copy: order.out_trade_no },
    { label: t('collections.channel'), value: <ChannelName code={order.channel} /> },
    {
      label: t('collections.bankReference'),
      value: detail?.bankReference,
      copy: detail?.bankReference ?? undefined,
    },
    { label: t('collections.createdAt'), value: <TimeText at={order.createdAt} /> },
    { label: t('collections.expiresAt'), value: <TimeText at={order.expiresAt} /> },
    { label: t('collections.paidAt'), value: <TimeText at={order.paidAt} /> },
    { label: t('collections.refundedAt'), value: <TimeText at={order.refundedAt} /> },
    {
      label: t('collections.settlement_no'),
      value: settlementNo && (
        <Link to="/collection/Settlements" search={{ open: settlementNo }}>
          {settlementNo}
        </Link>
      ),
      copy: settlementNo ?? undefined,
    },
    { label: t('collections.subject'), value: order.subject },
    ...linkFields(detail?.link, t),
    {
      label: t('collections.cashierUrl'),
      value: detail && (
        <a href={detail.cashierUrl} target="_blank" rel="noreferrer">
          {detail.cashierUrl}
        </a>
      ),
      copy: detail?.cashierUrl,
      isWide: true,
    },
    {
      label: t('collections.notifyUrl'),
      value: detail && (detail.notifyUrl ?? t('collections.noNotifyUrl')),
      copy: detail?.notifyUrl ?? undefined,
      isWide: true,
    },
  ];
  return (
    <Section
      title={t('collections.details')}
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
