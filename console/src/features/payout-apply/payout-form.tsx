import type { ChannelCode } from '@hengfu/contract/channels';
import type { KnownPayee, PayoutChannel, PayoutRow } from '@hengfu/contract/payouts';
import { Form, SelectField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { ApplyLayout, FieldGrid, SubmitSum } from '@hengfu/ui/page/apply-layout.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import { usePaymentForm } from '../../shared/payments/use-payment-form.ts';
import { ChannelFields } from './fields/channel-fields.tsx';
import { AmountField, OptionalFields, PayeeField } from './fields/payout-fields.tsx';
import { fillPayout } from './fill-payout.ts';
import type { PastedFields } from './paste.rules.ts';
import { PasteToFill } from './paste-to-fill.tsx';
import { PayoutConfirm } from './payout-confirm.tsx';
import { payoutOrderSchema } from './payout-order.ts';
import { PayoutSums, PayoutTotal, sumsOf } from './payout-sums.tsx';
import { RecentPayees } from './recent-payees.tsx';

interface PayoutFormProps {
  channels: readonly [PayoutChannel, ...PayoutChannel[]];
  /** The latest payouts. */
  recent: ReactNode;
  onMade: (payout: PayoutRow) => void;
}

/** The form for a payout with its totals beside it, followed by a confirmation. */
export function PayoutForm({ channels, recent, onMade }: PayoutFormProps): ReactElement {
  const t = useT();
  const rootRef = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(channels[0]);
  // Its fee may have changed since it was chosen. If it has closed meanwhile, the server says so.
  const channel = channels.find(({ code }) => code === chosen.code) ?? chosen;
  const [amount, setAmount] = useState('');
  const { form, order, reopen } = usePaymentForm({
    schema: payoutOrderSchema,
    costOf: (filled) => {
      const { totalMinor } = sumsOf(channel, filled.amount) ?? {};
      return totalMinor === undefined ? undefined : { totalMinor, currency: channel.currency };
    },
  });
  const ordered = channels.find(({ code }) => code === order?.channel);

  const fill = (found: PastedFields | KnownPayee) => {
    const element = rootRef.current?.querySelector('form');
    if (!element) return;
    fillPayout(element, found);
    reopen();
    setAmount(String(new FormData(element).get('amount') ?? ''));
  };
  return (
    <div ref={rootRef}>
      <ApplyLayout
        form={
          <Section
            isCard
            title={t('payouts.formTitle')}
            extra={<PasteToFill channel={channel.code} onFilled={fill} />}
          >
            <Form isWide state={form} action={t('payouts.goOn')}>
              <FieldGrid>
                <ChannelSelect form={form} channels={channels} value={channel.code} onChange={setChosen} />
                <PayeeField form={form} channel={channel.code} onPayee={fill} />
                <ChannelFields key={channel.code} form={form} channel={channel.code} />
                <AmountField form={form} channel={channel} onAmount={setAmount} />
              </FieldGrid>
              <OptionalFields form={form} channel={channel.code} />
              <SubmitSum
                label={t('payouts.total')}
                value={<PayoutTotal channel={channel} amount={amount} />}
              />
            </Form>
          </Section>
        }
        aside={
          <>
            <PayoutSums channel={channel} amount={amount} />
            <RecentPayees channel={channel.code} onChosen={fill} />
          </>
        }
        more={recent}
      />
      {order && ordered && (
        <PayoutConfirm
          order={order}
          channel={ordered}
          onFaults={reopen}
          onClose={() => reopen()}
          onMade={onMade}
        />
      )}
    </div>
  );
}

interface ChannelSelectProps {
  form: FormState;
  channels: readonly PayoutChannel[];
  value: ChannelCode;
  onChange: (channel: PayoutChannel) => void;
}

function ChannelSelect({ form, channels, value, onChange }: ChannelSelectProps): ReactElement {
  const t = useT();
  return (
    <SelectField
      form={form}
      name="channel"
      label={t('payouts.channel')}
      value={value}
      onChange={(event) => {
        const chosen = channels.find(({ code }) => code === event.target.value);
        if (chosen) onChange(chosen);
      }}
    >
      {channels.map(({ code }) => (
        <option key={code} value={code}>
          {t(`channels.${code}`)}
        </option>
      ))}
    </SelectField>
  );
}
