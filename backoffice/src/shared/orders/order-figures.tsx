import type { Currency } from '@hengfu/contract/money';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import type { ReactElement, ReactNode } from 'react';

interface OrderFiguresProps {
  /** Undefined while loading. */
  order: { amount: string; fee: string; currency: Currency } | undefined;
  /** Label and amount of the third figure: what the merchant gets or pays in all. */
  last: { label: string; amount: string | undefined };
  /** The order's status. */
  status: ReactNode;
}

/** The figures of an order: its amount with the status, its fee, and what the merchant gets or pays. */
export function OrderFigures({ order, last, status }: OrderFiguresProps): ReactElement {
  const t = useT();
  const money = (amount: string | undefined) =>
    order && amount !== undefined && <Money amount={amount} currency={order.currency} />;
  return (
    <Figures isBusy={order === undefined}>
      <Figure
        label={t('payouts.amount')}
        value={order && money(order.amount)}
        size="lead"
        note={order && status}
      />
      <Figure label={t('payouts.fee')} value={order && money(order.fee)} />
      <Figure label={last.label} value={order && money(last.amount)} />
    </Figures>
  );
}
