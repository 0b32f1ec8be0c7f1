import {
  type PayoutCase,
  payoutCaseEndpoints,
  payoutOutcomeFields,
  payoutOutcomes,
} from '@hengfu/contract/staff/orders';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import type { ReactElement } from 'react';
import { useRefresh } from '../../platform/refresh.ts';
import { useHasPerm } from '../../platform/session.ts';
import { RequestLink } from '../../shared/cases/claim-button.tsx';
import { useCallForm } from '../../shared/use-call-form.ts';
import { EvidenceField } from './evidence-field.tsx';

/** Decides a payout's unknown outcome by the bank's statement, once a second person agrees. */
export function OutcomeSection({ order }: { order: PayoutCase }): ReactElement | null {
  const t = useT();
  const canDecide = useHasPerm('orders.decide');
  const { isUnknown, requestId, trade_no: tradeNo } = order;
  if (requestId === null && !(isUnknown && canDecide)) return null;
  return (
    <Section title={t('officeOrders.decide')}>
      {requestId === null ? <OutcomeForm tradeNo={tradeNo} /> : <RequestLink requestId={requestId} />}
    </Section>
  );
}

function OutcomeForm({ tradeNo }: { tradeNo: string }): ReactElement {
  const t = useT();
  const refresh = useRefresh(payoutCaseEndpoints.get.path);
  const onAsked = () => {
    toast('success', t('officeRequests.asked'));
    refresh();
  };
  const form = useCallForm(
    payoutCaseEndpoints.askOutcome,
    onAsked,
    { trade_no: tradeNo },
    payoutOutcomeFields,
  );
  return (
    <Form state={form} action={t('officeRequests.ask')}>
      <p>{t('officeOrders.decideText')}</p>
      <SelectField form={form} name="outcome" label={t('officeOrders.outcome')} defaultValue="">
        <option value="" disabled>
          –
        </option>
        {payoutOutcomes.map((outcome) => (
          <option key={outcome} value={outcome}>
            {t(`officeOrders.outcomes.${outcome}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        form={form}
        name="bankReference"
        label={t('officeOrders.statementReference')}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        form={form}
        name="reason"
        label={t('officeOrders.decideReason')}
        maxLength={300}
        autoComplete="off"
      />
      <EvidenceField form={form} tradeNo={tradeNo} />
    </Form>
  );
}
