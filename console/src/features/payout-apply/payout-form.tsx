import type { ChannelCode } from '@hengfu/contract/channels';
import type { KnownPayee, PayoutChannel, PayoutRow } from '@hengfu/contract/payouts';
import { type FormEvent, type ReactElement, useRef, useState } from 'react';
import { useT } from '../../platform/i18n.ts';
import { checkFields } from '../../ui/check-fields.ts';
import { Form, SelectField, TextField } from '../../ui/form.tsx';
import { useUnitText } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { SideBySide } from '../../ui/sums.tsx';
import { type FormState, without } from '../../ui/use-form.ts';
import { ChannelFields } from './channel-fields.tsx';
import type { PastedFields } from './paste.rules.ts';
import { PasteToFill } from './paste-to-fill.tsx';
import { PayeeSuggestions } from './payee-suggestions.tsx';
import { PayoutConfirm } from './payout-confirm.tsx';
import styles from './payout-form.module.css';
import { type PayoutOrder, payoutOrderSchema } from './payout-order.ts';
import { PayoutSums } from './payout-sums.tsx';

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
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [isIncomplete, setIncomplete] = useState(false);
  const [order, setOrder] = useState<PayoutOrder>();

  const fill = (found: PastedFields | KnownPayee) => {
    const form = rootRef.current?.querySelector('form');
    if (!form) return;
    for (const [name, value] of Object.entries(found)) {
      const field = form.elements.namedItem(name);
      const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
      if (isField && typeof value === 'string' && name !== 'channel') field.value = value;
    }
    setFaults({});
    setAmount(String(new FormData(form).get('amount') ?? ''));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const checked = checkFields(event.currentTarget, payoutOrderSchema);
    setFaults(checked.faults);
    setIncomplete(checked.isIncomplete);
    if (checked.data) setOrder(checked.data);
  };
  const forget = (name: string) => setFaults((known) => without(known, name));
  const state: FormState = {
    faults,
    refusal: undefined,
    isIncomplete: isIncomplete && Object.keys(faults).length > 0,
    isBusy: false,
    submit,
    forget,
  };
  return (
    <div ref={rootRef}>
      <SideBySide>
        <Section
          isCard
          title={t('payouts.formTitle')}
          extra={<PasteToFill channel={channel.code} onFilled={fill} />}
        >
          <Form state={state} action={t('payouts.goOn')}>
            <ChannelSelect form={state} channels={channels} value={channel.code} onChange={setChannel} />
            <OrderFields form={state} channel={channel} onAmount={setAmount} onPayee={fill} />
          </Form>
        </Section>
        <PayoutSums channel={channel} amount={amount} />
      </SideBySide>
      {order && (
        <PayoutConfirm
          order={order}
          channel={channel}
          onFaults={(found) => {
            setOrder(undefined);
            setFaults(found);
          }}
          onClose={() => setOrder(undefined)}
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
  return (
    <>
      <div className={styles.payee}>
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
