import type { ChannelCode } from '@hengfu/contract/channels';
import type { KnownPayee, PayoutChannel, PayoutRow } from '@hengfu/contract/payouts';
import { type ReactElement, useCallback, useRef, useState } from 'react';
import { useT } from '../../platform/i18n.ts';
import { fillField } from '../../ui/fill-field.ts';
import { Form, SelectField, TextField } from '../../ui/form.tsx';
import { useUnitText } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { SideBySide } from '../../ui/sums.tsx';
import type { FormState } from '../../ui/use-form.ts';
import { usePaymentForm } from '../../ui/use-payment-form.ts';
import { ChannelFields } from './channel-fields.tsx';
import type { PastedFields } from './paste.rules.ts';
import { PasteToFill } from './paste-to-fill.tsx';
import { PayeeSuggestions } from './payee-suggestions.tsx';
import { PayoutConfirm } from './payout-confirm.tsx';
import styles from './payout-form.module.css';
import { payoutOrderSchema } from './payout-order.ts';
import { PayoutSums, sumsOf } from './payout-sums.tsx';

interface PayoutFormProps {
  channels: readonly [PayoutChannel, ...PayoutChannel[]];
  onMade: (payout: PayoutRow) => void;
}

/** The form for a payout with its totals beside it, followed by a confirmation. */
export function PayoutForm({ channels, onMade }: PayoutFormProps): ReactElement {
  const t = useT();
  const rootRef = useRef<HTMLDivElement>(null);
  const [channel, setChannel] = useState(channels[0]);
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
    for (const [name, value] of Object.entries(found)) {
      if (typeof value === 'string' && name !== 'channel') fillField(element.elements.namedItem(name), value);
    }
    reopen();
    setAmount(String(new FormData(element).get('amount') ?? ''));
  };
  return (
    <div ref={rootRef}>
      <SideBySide>
        <Section
          isCard
          title={t('payouts.formTitle')}
          extra={<PasteToFill channel={channel.code} onFilled={fill} />}
        >
          <Form state={form} action={t('payouts.goOn')}>
            <ChannelSelect form={form} channels={channels} value={channel.code} onChange={setChannel} />
            <OrderFields form={form} channel={channel} onAmount={setAmount} onPayee={fill} />
          </Form>
        </Section>
        <PayoutSums channel={channel} amount={amount} />
      </SideBySide>
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

interface OrderFieldsProps {
  form: FormState;
  channel: PayoutChannel;
  onAmount: (amount: string) => void;
  /** An earlier payee was chosen. */
  onPayee: (payee: KnownPayee) => void;
}

function OrderFields({ form, channel, onAmount, onPayee }: OrderFieldsProps): ReactElement {
  const t = useT();
  const unit = useUnitText();
  const [search, setSearch] = useState('');
  const close = useCallback(() => setSearch(''), []);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens to the focus of what is in it. */}
      <div
        className={styles.payee}
        // Suggestions that arrive later must not open any more.
        onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || close()}
      >
        <TextField
          form={form}
          name="payee"
          label={t('payouts.payee')}
          autoComplete="off"
          maxLength={100}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <PayeeSuggestions
          channel={channel.code}
          search={search}
          onChosen={(payee) => {
            setSearch('');
            onPayee(payee);
          }}
          onClose={close}
        />
      </div>
      <ChannelFields form={form} channel={channel.code} />
      <TextField
        form={form}
        name="amount"
        label={t('payouts.amountIn', { currency: channel.currency })}
        hint={unit(channel.currency)}
        inputMode="decimal"
        autoComplete="off"
        maxLength={19}
        onInput={(event) => onAmount(event.currentTarget.value)}
      />
      <TextField
        form={form}
        name="remark"
        label={t('payouts.remarkOptional')}
        autoComplete="off"
        maxLength={140}
      />
    </>
  );
}
