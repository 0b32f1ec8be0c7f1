import type { CashierOrder } from '@hengfu/contract/cashier';
import { type Screen, webLink } from './cashier.rules.ts';
import { ResultIcon } from './icons.tsx';
import { type CashierPhrases, fill, useCashierI18n } from './language.tsx';

/** The result of an order. */
export type Ending = Exclude<Screen, 'open'>;

/** Returns the title and sentence of a result, for the page and for screen readers. */
export function endingText(
  ending: Ending,
  order: CashierOrder,
  { cashier }: CashierPhrases,
): [string, string] {
  // The time ran out while the payer was at the bank: the payment may still arrive.
  const text = ending === 'closed' && order.payment ? cashier.closedLateText : cashier[`${ending}Text`];
  return [cashier[`${ending}Title`], fill(text, { merchant: order.merchant })];
}

/** Whether an order has, or had, a receipt: once it is too old, no page is behind its link any more. */
function hadReceipt(ending: Ending): boolean {
  return ending === 'paid' || ending === 'refunded';
}

/** Shows how an order ended. */
export function Result({ ending, order }: { ending: Ending; order: CashierOrder }) {
  const { phrases } = useCashierI18n();
  const [title, text] = endingText(ending, order, phrases);
  return (
    <div className="step result">
      <ResultIcon of={ending} />
      <h1>{title}</h1>
      <p>{text}</p>
      {order.receipt ? (
        <a className="receipt-link" href={order.receipt}>
          {phrases.cashier.receipt}
        </a>
      ) : (
        hadReceipt(ending) && <p className="reason">{phrases.cashier.receiptEnded}</p>
      )}
      {ending === 'failed' && order.failureReason !== null && (
        <p className="reason">{phrases.cashier.refusal[order.failureReason]}</p>
      )}
    </div>
  );
}

/** Links back to the shop: a plain link while the order is open, the main button once it has ended. */
export function BackLink({ order, isMain }: { order: CashierOrder; isMain: boolean }) {
  const { cashier } = useCashierI18n().phrases;
  const returnUrl = webLink(order.returnUrl);
  if (!returnUrl) return null;
  return (
    <a className={isMain ? 'button' : 'back'} href={returnUrl}>
      {fill(cashier.back, { merchant: order.merchant })}
    </a>
  );
}

/** Shown if there is nothing behind the link. */
export function UnknownLink({ text }: { text: string }) {
  const { cashier } = useCashierI18n().phrases;
  return (
    <div className="step result">
      <ResultIcon of="unknown" />
      <h1>{cashier.notFoundTitle}</h1>
      <p>{text}</p>
    </div>
  );
}
