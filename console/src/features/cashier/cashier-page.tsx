import type { CashierOrder } from '@hengfu/contract/cashier';
import type { Language } from '@hengfu/contract/languages';
import { languageNames } from '@hengfu/ui/language/languages.ts';
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { readOrder, startPayment } from './cashier.api.ts';
import { screenOf } from './cashier.rules.ts';
import { ChevronIcon, GlobeIcon, LockIcon } from './icons.tsx';
import { type CashierPhrases, fill, useCashierI18n } from './language.tsx';
import { type FollowerState, OrderFollower } from './order-follower.ts';
import { OrderSummary } from './order-summary.tsx';
import { BankStep, ChooseStep } from './pay-step.tsx';
import { BackLink, endingText, Result, UnknownOrder } from './result.tsx';

/** The checkout page of one order. */
export function CashierPage({ token, title }: { token: string; title: string }) {
  const { language, phrases } = useCashierI18n();
  const [followed, pay] = useOrder(token, language);
  const { order, trouble } = followed;
  const announcement = announcementOf(followed, phrases);
  useEffect(() => {
    document.title = announcement.title || title;
  }, [announcement.title, title]);
  return (
    <>
      <header>
        <span className="product">{title}</span>
        <LanguageSwitch />
      </header>
      <p className="trouble" role="status" hidden={trouble === null}>
        {trouble === 'offline' && phrases.cashier.offline}
        {trouble === 'unavailable' && phrases.errors.unavailable}
      </p>
      <main className={order ? 'order' : undefined} aria-busy={!order && !followed.isUnknown}>
        {followed.isUnknown && <UnknownOrder />}
        {!order && !followed.isUnknown && (
          <span className="loading" role="img" aria-label={phrases.cashier.loading} />
        )}
        {order && <OrderParts order={order} followed={followed} onPay={pay} />}
      </main>
      <p className="unseen" role="status">
        {announcement.text}
      </p>
      <footer>
        <LockIcon />
        {fill(phrases.cashier.secure, { title })}
      </footer>
    </>
  );
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
  if (screenOf[order.status] !== 'open') return [actions, summary];
  const heading = (
    <h1 key="heading" className="unseen">
      {fill(phrases.cashier.title, { merchant: order.merchant })}
    </h1>
  );
  return [heading, summary, actions];
}

function Actions({ order, followed, onPay }: PartsProps) {
  const screen = screenOf[order.status];
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

function LanguageSwitch() {
  const { language, phrases, choose } = useCashierI18n();
  return (
    <label className="languages">
      <GlobeIcon />
      <span className="unseen">{phrases.cashier.language}</span>
      <select value={language} onChange={(event) => choose(event.target.value as Language)}>
        {Object.entries(languageNames).map(([value, name]) => (
          <option key={value} value={value} lang={value}>
            {name}
          </option>
        ))}
      </select>
      <ChevronIcon />
    </label>
  );
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
  const screen = screenOf[order.status];
  if (screen !== 'open') {
    const texts = endingText(screen, order, phrases);
    return { title: `${texts[0]} · ${merchant}`, text: texts.join('. ') };
  }
  const title = fill(cashier.title, { merchant });
  if (isPaying) return { title, text: cashier.starting };
  return { title, text: order.payment ? cashier.waiting : '' };
}

/** Polls the order while the page is open; at once when the page becomes visible or is online again. */
function useOrder(token: string, language: Language): [FollowerState, (channel: string) => void] {
  const latestLanguage = useRef(language);
  useEffect(() => {
    latestLanguage.current = language;
  }, [language]);
  const [follower] = useState(
    () =>
      new OrderFollower({
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
    refresh();
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
