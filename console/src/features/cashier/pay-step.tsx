import type { CashierOrder } from '@hengfu/contract/cashier';
import { QrCode } from '@hengfu/ui/values/qr-code.tsx';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import type { CallFault } from './cashier.api.ts';
import { webLink } from './cashier.rules.ts';
import { type CashierPhrases, fill, payableAmount, useCashierI18n } from './language.tsx';
import type { FollowerState } from './order-follower.ts';

/** Lets the payer choose a channel and start the payment. */
export function ChooseStep(props: {
  order: CashierOrder;
  followed: Pick<FollowerState, 'isPaying' | 'payFault'>;
  onPay: (channel: string) => void;
}) {
  const { order, followed, onPay } = props;
  const { language, phrases } = useCashierI18n();
  const [chosen, choose] = useState<string>();
  const channels = order.channels;
  const channel = channels.find(({ code }) => code === chosen)?.code ?? channels[0]?.code;
  if (channel === undefined) return <p className="notice">{phrases.cashier.noChannels}</p>;
  const amount = payableAmount(order.amount, order.currency, language);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onPay(channel);
  };
  return (
    <form className="step" onSubmit={submit}>
      <fieldset disabled={followed.isPaying}>
        <legend>{channels.length > 1 ? phrases.cashier.choose : phrases.cashier.payBy}</legend>
        {channels.map(({ code, name }) => (
          <label key={code} className="channel">
            <input type="radio" name="channel" checked={code === channel} onChange={() => choose(code)} />
            <span>{nameOf(code, name, phrases)}</span>
          </label>
        ))}
      </fieldset>
      {followed.payFault !== null && (
        <p className="notice notice-bad" role="alert">
          {faultText(followed.payFault, phrases)}
        </p>
      )}
      <button className="button" type="submit" disabled={followed.isPaying} aria-busy={followed.isPaying}>
        {followed.isPaying ? phrases.cashier.starting : fill(phrases.cashier.pay, { amount })}
      </button>
    </form>
  );
}

/** Leads to the bank once the payment has started. A phone shows the button first, a desktop the QR code. */
export function BankStep({ payment }: { payment: NonNullable<CashierOrder['payment']> }) {
  const { cashier } = useCashierI18n().phrases;
  const payUrl = webLink(payment.payUrl);
  const link = payUrl && (
    <a key="link" className="button" href={payUrl} referrerPolicy="no-referrer">
      {cashier.openBank}
    </a>
  );
  const code = payment.qrContent !== null && (
    <div key="code" className="scan">
      <QrCode content={payment.qrContent} label={cashier.scan} />
      <p>{cashier.scan}</p>
    </div>
  );
  const isPhone = matchMedia('(pointer: coarse)').matches;
  return (
    <div className="step">
      {isPhone ? [link, code] : [code, link]}
      <Waiting>{cashier.waiting}</Waiting>
    </div>
  );
}

function Waiting({ children }: { children: ReactNode }) {
  return (
    <p className="waiting">
      <span className="pulse" aria-hidden="true" />
      {children}
    </p>
  );
}

function nameOf(code: string, name: string, { channels }: CashierPhrases): string {
  return isKey(channels, code) ? channels[code] : name;
}

function faultText(fault: CallFault, { cashier }: CashierPhrases): string {
  return isKey(cashier.faults, fault) ? cashier.faults[fault] : cashier.faults.other;
}

function isKey<T extends object>(object: T, key: PropertyKey): key is keyof T {
  return Object.hasOwn(object, key);
}
