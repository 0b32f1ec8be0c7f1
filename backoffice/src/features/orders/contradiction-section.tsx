import { type PayoutCase, payoutCaseEndpoints } from '@hengfu/contract/staff/orders';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';
import { useRefresh } from '../../platform/refresh.ts';
import { useHasPerm } from '../../platform/session.ts';
import { useForm } from '../../shared/use-call-form.ts';
import styles from './orders.module.css';

/** The reports that contradict the outcome of a payout, until somebody has settled them. */
export function ContradictionSection({ order }: { order: PayoutCase }): ReactElement | null {
  const t = useT();
  const canSettle = useHasPerm('orders.decide');
  const { contradictions } = order;
  if (contradictions.length === 0) return null;
  return (
    <Section title={t('officeOrders.contradicted')}>
      <div className={styles.reports}>
        {contradictions.map(({ source, reported, bankReference, at }) => (
          <Notice key={`${source} ${reported} ${bankReference}`} tone="bad">
            {t(`officeOrders.contradictedBy.${source}`, {
              outcome: t(`officeOrders.outcomes.${reported}`),
              reference: bankReference,
            })}{' '}
            <TimeText at={at} />
          </Notice>
        ))}
        {canSettle && <SettleForm order={order} />}
      </div>
    </Section>
  );
}

/** Settles the reports that are shown above it, and no others. */
function SettleForm({ order }: { order: PayoutCase }): ReactElement {
  const { contradictions, trade_no: tradeNo } = order;
  const t = useT();
  const refresh = useRefresh(payoutCaseEndpoints.get.path);
  const onSettled = () => {
    toast('success', t('officeOrders.settled'));
    refresh();
  };
  const form = useForm(payoutCaseEndpoints.settle, onSettled, {
    params: { trade_no: tradeNo },
    schema: payoutCaseEndpoints.settle.body.pick({ note: true }),
    bodyOf: (fields) => ({
      ...fields,
      reports: contradictions.map(({ source, reported, bankReference }) => ({
        source,
        reported,
        bankReference,
      })),
    }),
  });
  return (
    <Form state={form} action={t('officeOrders.settle')} look="outline">
      <TextField
        form={form}
        name="note"
        label={t('officeOrders.settleNote')}
        maxLength={300}
        autoComplete="off"
      />
    </Form>
  );
}
