import {
  type OrderCallback,
  type OrderPosting,
  orderEndpoints,
  type PayoutCase,
} from '@hengfu/contract/staff/orders';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { channelText } from '@hengfu/ui/orders/channel-name.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { type StatusLook, StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';
import { useHasPerm } from '../../platform/session.ts';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';
import styles from './orders.module.css';
import { useOrderAction } from './use-order-action.ts';

type OrderParts = Pick<PayoutCase, 'trade_no' | 'currency' | 'callbacks' | 'postings'>;

const callbackLooks: Readonly<Record<OrderCallback['state'], StatusLook>> = {
  waiting: { label: 'officeOrders.callbackState.waiting', tone: 'waiting', icon: 'circleClock' },
  delivered: { label: 'officeOrders.callbackState.delivered', tone: 'good', icon: 'circleCheck' },
  givenUp: { label: 'officeOrders.callbackState.givenUp', tone: 'bad', icon: 'circleCross' },
};

/** The callbacks of an order to its merchant's system, with every attempt. */
export function Callbacks({ order }: { order: OrderParts }): ReactElement {
  const t = useT();
  return (
    <Section title={t('officeOrders.callbacks')}>
      {order.callbacks.length === 0 && <p className={table.note}>{t('officeOrders.noCallbacks')}</p>}
      {order.callbacks.map((callback) => (
        <Callback key={callback.id} callback={callback} tradeNo={order.trade_no} />
      ))}
    </Section>
  );
}

function Callback({ callback, tradeNo }: { callback: OrderCallback; tradeNo: string }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const canAct = useHasPerm('orders.act');
  const { id, event, url, state, attempts } = callback;
  const again = useOrderAction(orderEndpoints.sendAgain, { trade_no: tradeNo, id }, 'collections.sentAgain');
  return (
    <section className={styles.callback} aria-label={url}>
      <p className={styles.line}>
        <code>{event}</code>
        <StatusTag look={callbackLooks[state]} />
        {canAct && (
          <Button
            aria-label={t('collections.sendAgainOf', { event })}
            aria-disabled={again.isPending}
            onClick={() => again.mutate()}
          >
            {t('collections.sendAgain')}
          </Button>
        )}
      </p>
      <p className={styles.url}>{url}</p>
      {attempts.length > 0 && (
        <ol className={styles.attempts} aria-label={t('officeOrders.attempts')}>
          {attempts.map(({ attempt, at, httpStatus, error, durationMs }) => (
            <li key={`${attempt} ${at}`} className={styles.line}>
              <span>{t('collections.callbackAttempt', { attempt })}</span>
              <strong>
                {httpStatus === null
                  ? t(`collections.callbackError.${error ?? 'other'}`)
                  : `HTTP ${httpStatus}`}
              </strong>
              <span>{t('collections.callbackDuration', { ms: formatCount(durationMs, language) })}</span>
              <span className={styles.at}>
                <TimeText at={at} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

const postingTypes: Readonly<Record<string, PhraseKey>> = {
  collection_payment: 'officeOrders.types.collection_payment',
  collection_refund: 'officeOrders.types.collection_refund',
  collection_refund_reversal: 'officeOrders.types.collection_refund_reversal',
  payout_deduction: 'officeOrders.types.payout_deduction',
  payout_payment: 'officeOrders.types.payout_payment',
  payout_refund: 'officeOrders.types.payout_refund',
};

/** The postings of an order; the entries of each add up to zero. */
export function Postings({ order }: { order: OrderParts }): ReactElement {
  const t = useT();
  const title = t('officeOrders.postings');
  return (
    <Section title={title}>
      {order.postings.length === 0 ? (
        <p className={table.note}>{t('officeOrders.noPostings')}</p>
      ) : (
        <TableBox label={title}>
          <thead>
            <tr>
              <th>{t('officeOrders.posting')}</th>
              <th>{t('officeOrders.account')}</th>
              <th data-number>{t('payouts.amount')}</th>
            </tr>
          </thead>
          <tbody>
            {order.postings.map((posting) => (
              <PostingRows key={`${posting.type} ${posting.at}`} posting={posting} order={order} />
            ))}
          </tbody>
        </TableBox>
      )}
    </Section>
  );
}

function PostingRows({ posting, order }: { posting: OrderPosting; order: OrderParts }): ReactElement {
  const t = useT();
  const { type, at, entries } = posting;
  const phrase = Object.hasOwn(postingTypes, type) ? postingTypes[type] : undefined;
  const head = (
    <td rowSpan={Math.max(entries.length, 1)}>
      {phrase ? t(phrase) : type}
      <br />
      <small className={styles.at}>
        <TimeText at={at} />
      </small>
    </td>
  );
  if (entries.length === 0)
    return (
      <tr>
        {head}
        <td colSpan={2}>{t('officeOrders.archived')}</td>
      </tr>
    );
  return (
    <>
      {entries.map(({ account, reference, amount }, index) => (
        <tr key={`${account} ${reference}`}>
          {index === 0 && head}
          <td>
            {t(`officeOrders.accounts.${account}`)}
            {reference && ` · ${channelText(reference, t)}`}
          </td>
          <td data-number>
            <Money amount={amount} currency={order.currency} />
          </td>
        </tr>
      ))}
    </>
  );
}
