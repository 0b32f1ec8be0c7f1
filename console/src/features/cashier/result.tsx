import type { CashierOrder } from '@hengfu/contract/cashier';
import { type Screen, webLink } from './cashier.rules.ts';
import { ResultSign } from './icons.tsx';
import { type CashierPhrases, fill, useSpeech } from './language.tsx';

/** How an order ended. */
export type Ending = Exclude<Screen, 'open'>;

/** Title and sentence of an ending, for the page and for who listens to it. */
export function endingText(
  ending: Ending,
  order: CashierOrder,
  { cashier }: CashierPhrases,
): [string, string] {
  return [cashier[`${ending}Title`], fill(cashier[`${ending}Text`], { merchant: order.merchant })];
}

/** The end of an order: sign, words, and the way back. */
export function Result({ ending, order }: { ending: Ending; order: CashierOrder }) {
  const { phrases } = useSpeech();
  const [title, text] = endingText(ending, order, phrases);
  return (
    <div className="step result">
      <ResultSign of={ending} />
      <h1>{title}</h1>
      <p>{text}</p>
      {ending === 'failed' && order.failureReason !== null && (
        <p className="reason">{phrases.cashier.refusal[order.failureReason]}</p>
      )}
    </div>
  );
}

/** The way back to the shop: the main thing to do once all is done, a quiet link before. */
export function BackLink({ order, isMain }: { order: CashierOrder; isMain: boolean }) {
  const { cashier } = useSpeech().phrases;
  const returnUrl = webLink(order.returnUrl);
  if (!returnUrl) return null;
  return (
    <a className={isMain ? 'button' : 'back'} href={returnUrl}>
      {fill(cashier.back, { merchant: order.merchant })}
    </a>
  );
}

/** A link that leads nowhere. */
export function UnknownOrder() {
  const { cashier } = useSpeech().phrases;
  return (
    <div className="step result">
      <ResultSign of="unknown" />
      <h1>{cashier.notFoundTitle}</h1>
      <p>{cashier.notFoundText}</p>
    </div>
  );
}
