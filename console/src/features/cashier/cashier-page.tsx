import type { CashierOrder } from '@hengfu/contract/cashier';
import type { Language } from '@hengfu/contract/session';
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { languageNames } from '../../platform/languages.ts';
import { readOrder, startPayment } from './cashier.api.ts';
import { screenOf } from './cashier.rules.ts';
import { ChevronSign, GlobeSign, LockSign } from './icons.tsx';
import { type CashierPhrases, fill, useSpeech } from './language.tsx';
import { type Followed, OrderFollower } from './order-follower.ts';
import { OrderSummary } from './order-summary.tsx';
import { BankStep, ChooseStep } from './pay-step.tsx';
import { BackLink, endingText, Result, UnknownOrder } from './result.tsx';

/** The payer's page of one order. */
export function CashierPage({ token, title }: { token: string; title: string }) {
  const { language, phrases } = useSpeech();
  const [followed, pay] = useOrder(token, language);
  const { order, trouble } = followed;
  const news = newsOf(followed, phrases);
  useEffect(() => {
    document.title = news.title || title;
  }, [news.title, title]);
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
        {news.spoken}
      </p>
      <footer>
        <LockSign />
        {fill(phrases.cashier.secure, { title })}
      </footer>
    </>
  );
}

interface PartsProps {
  order: CashierOrder;
  followed: Followed;
  onPay: (channel: string) => void;
}

/** The order and what to do about it; once it has ended, how it ended comes first. */
function OrderParts(props: PartsProps) {
  const { order, followed } = props;
  const { phrases } = useSpeech();
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

/** Once the payer has acted and the step is done, the next step takes the focus that went away with the button. */
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
  const { language, phrases, choose } = useSpeech();
  return (
    <label className="languages">
      <GlobeSign />
      <span className="unseen">{phrases.cashier.language}</span>
      <select value={language} onChange={(event) => choose(event.target.value as Language)}>
        {Object.entries(languageNames).map(([value, name]) => (
          <option key={value} value={value} lang={value}>
            {name}
          </option>
        ))}
      </select>
      <ChevronSign />
    </label>
  );
}

/** Title of the window, and what is read out when it changes. */
function newsOf(
  { order, isUnknown, isPaying }: Followed,
  phrases: CashierPhrases,
): { title: string; spoken: string } {
  const { cashier } = phrases;
  if (isUnknown)
    return { title: cashier.notFoundTitle, spoken: `${cashier.notFoundTitle}. ${cashier.notFoundText}` };
  if (!order) return { title: '', spoken: '' };
  const { merchant } = order;
  const screen = screenOf[order.status];
  if (screen !== 'open') {
    const words = endingText(screen, order, phrases);
    return { title: `${words[0]} · ${merchant}`, spoken: words.join('. ') };
  }
  const title = fill(cashier.title, { merchant });
  if (isPaying) return { title, spoken: cashier.starting };
  return { title, spoken: order.payment ? cashier.waiting : '' };
}

/** Follows the order for as long as the page stands: at once when it is seen again or the network is back. */
function useOrder(token: string, language: Language): [Followed, (channel: string) => void] {
  const spoken = useRef(language);
  useEffect(() => {
    spoken.current = language;
  }, [language]);
  const [follower] = useState(
    () =>
      new OrderFollower({
        read: (signal) => readOrder(token, spoken.current, signal),
        pay: (channel) => startPayment(token, channel, spoken.current),
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
