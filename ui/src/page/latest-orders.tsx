import type { ReactElement, ReactNode } from 'react';
import { type StatusLook, StatusTag } from '../values/status-tag.tsx';
import { TimeText } from '../values/time-text.tsx';
import styles from './latest-orders.module.css';
import { Section } from './section.tsx';

/** One of the latest orders. */
export interface LatestOrder {
  trade_no: string;
  /** Its name, as a link to its details. */
  link: ReactNode;
  createdAt: string;
  amount: ReactNode;
  look: StatusLook;
}

interface LatestOrdersProps {
  title: string;
  /** The link to all orders. */
  all: ReactNode;
  orders: readonly LatestOrder[];
}

/** The latest orders of a kind, below the form for the next one. Nothing before the first order. */
export function LatestOrders({ title, all, orders }: LatestOrdersProps): ReactElement | null {
  if (orders.length === 0) return null;
  return (
    <Section isCard title={title} extra={all}>
      <ul className={styles.orders}>
        {orders.map(({ trade_no, link, createdAt, amount, look }) => (
          <li key={trade_no}>
            <span className={styles.name}>{link}</span>
            <span className={styles.time}>
              <TimeText at={createdAt} />
            </span>
            <span className={styles.amount}>{amount}</span>
            <span className={styles.status}>
              <StatusTag look={look} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
