import type { CashierOrder } from '@hengfu/contract/cashier';
import type { Language } from '@hengfu/contract/languages';
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { isOrder, readOrder, startPayment } from './cashier.api.ts';
import { screenOf } from './cashier.rules.ts';
import { CashierFrame, FrameLoading, useTitle } from './cashier-frame.tsx';
import { type CashierPhrases, fill, useCashierI18n } from './language.tsx';
import { type FollowerState, OrderFollower } from './order-follower.ts';
import { OrderSummary } from './order-summary.tsx';
import { BankStep, ChooseStep } from './pay-step.tsx';
import { BackLink, endingText, Result, UnknownLink } from './result.tsx';

/** Props of each page that payers see: the link's token, the product's name, and the server's first reply if the page came with it. */
export interface PayerPageProps {
  token: string;
  title: string;
  reply: unknown;
}

/** The checkout page of one order. */
export function CashierPage({ token, title, reply }: PayerPageProps) {
  const { language, phrases } = useCashierI18n();
  const [followed, pay] = useOrder(token, language, reply);
  const { order, trouble } = followed;
  const announcement = announcementOf(followed, phrases);
  useTitle(announcement.title || title);
  return (
    <CashierFrame
      title={title}
      brand={order && brandOf(order)}
      trouble={trouble && phrases.cashier[trouble]}
      announcement={announcement.text}
      hasTwoParts={order !== null}
      isBusy={!order && !followed.isUnknown}
    >
      {followed.isUnknown && <UnknownLink text={phrases.cashier.notFoundText} />}
      {!order && !followed.isUnknown && <FrameLoading />}
      {order && <OrderParts order={order} followed={followed} onPay={pay} />}
    </CashierFrame>
  );
}

function brandOf({ merchant, color, logo, registeredName }: CashierOrder) {
  return { name: merchant, color, logo, registeredName };
}

interface PartsProps {
  order: CashierOrder;
  followed: FollowerState;
  onPay: (channel: string) => void;
}

/** Shows the order and the next step; once the order has ended, the result comes first. */
function OrderParts(props: PartsProps) {
  const { order, followed } = props;
  const { phrases } = useCashierI18n();
  const summary = <OrderSummary key="summary" order={order} offsetMs={followed.offsetMs} />;
  const actions = <Actions key="actions" {...props} />;
  if (screenOf(order) !== 'open') return [actions, summary];
  const heading = (
    <h1 key="heading" className="unseen">
      {fill(phrases.cashier.title, { merchant: order.merchant })}
    </h1>
  );
  return [heading, summary, actions];
}

function Actions({ order, followed, onPay }: PartsProps) {
  const screen = screenOf(order);
  const isPayable = screen === 'open' && !order.payment;
  const [section, keepFocus] = useFocusAfter(isPayable);
  const pay = (channel: string) => {
    keepFocus();
    onPay(channel);
  };
  return (
    <section ref={section} className="actions" tabIndex={-1}>
      {screen !== 'open' && <Result ending={screen} order={order} />}
      {screen === 'open' && order.payment && <BankStep payment={order.payment} />}
      {isPayable && <ChooseStep order={order} followed={followed} onPay={pay} />}
      <BackLink order={order} isMain={screen !== 'open'} />
    </section>
  );
}

/** Moves the focus to the next step when the button that the payer pressed disappears. */
function useFocusAfter(isPayable: boolean): [RefObject<HTMLElement | null>, () => void] {
  const section = useRef<HTMLElement>(null);
  const hasActed = useRef(false);
  useEffect(() => {
    if (isPayable || !hasActed.current) return;
    hasActed.current = false;
    section.current?.focus({ preventScroll: true });
  }, [isPayable]);
  const keepFocus = () => {
    hasActed.current = true;
  };
  return [section, keepFocus];
}

/** Returns the window's title, and the text that screen readers announce when it changes. */
function announcementOf(
  { order, isUnknown, isPaying }: FollowerState,
  phrases: CashierPhrases,
): { title: string; text: string } {
  const { cashier } = phrases;
  if (isUnknown)
    return { title: cashier.notFoundTitle, text: `${cashier.notFoundTitle}. ${cashier.notFoundText}` };
  if (!order) return { title: '', text: '' };
  const { merchant } = order;
  const screen = screenOf(order);
  if (screen !== 'open') {
    const texts = endingText(screen, order, phrases);
    return { title: `${texts[0]} · ${merchant}`, text: texts.join('. ') };
  }
  const title = fill(cashier.title, { merchant });
  if (isPaying) return { title, text: cashier.starting };
  return { title, text: order.payment ? cashier.waiting : '' };
}

/** Polls the order while the page is open; at once when the page becomes visible or is online again. */
function useOrder(
  token: string,
  language: Language,
  reply: unknown,
): [FollowerState, (channel: string) => void] {
  const latestLanguage = useRef(language);
  useEffect(() => {
    latestLanguage.current = language;
  }, [language]);
  const [follower] = useState(
    () =>
      new OrderFollower({
        first: isOrder(reply) ? reply : null,
        read: (signal) => readOrder(token, latestLanguage.current, signal),
        pay: (channel) => startPayment(token, channel, latestLanguage.current),
        isHidden: () => document.hidden,
      }),
  );
  useEffect(() => {
    const { refresh, noteOffline } = follower;
    const onVisibility = () => {
      if (!document.hidden) refresh();
    };
    follower.start();
    document.addEventListener('visibilitychange', onVisibility);
    addEventListener('pageshow', refresh);
    addEventListener('online', refresh);
    addEventListener('offline', noteOffline);
    return () => {
      follower.stop();
      document.removeEventListener('visibilitychange', onVisibility);
      removeEventListener('pageshow', refresh);
      removeEventListener('online', refresh);
      removeEventListener('offline', noteOffline);
    };
  }, [follower]);
  return [useSyncExternalStore(follower.subscribe, follower.current), follower.pay];
}
