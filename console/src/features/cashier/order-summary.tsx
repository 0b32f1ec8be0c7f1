import type { CashierOrder } from '@hengfu/contract/cashier';
import { type ReactNode, useEffect, useState } from 'react';
import { countdownText, screenOf, secondsLeft, warningMs } from './cashier.rules.ts';
import { payableAmount, useCashierI18n } from './language.tsx';

/** Shows the amount, the subject, and the time left. */
export function OrderSummary({ order, offsetMs }: { order: CashierOrder; offsetMs: number }) {
  const { language, phrases } = useCashierI18n();
  const { cashier } = phrases;
  const amount = payableAmount(order.amount, order.currency, language);
  const isOpen = screenOf(order) === 'open';
  return (
    <section className="summary" aria-label={cashier.order}>
      <p className="amount-label">{isOpen ? cashier.amountToPay : cashier.amount}</p>
      <p className={`amount amount-${sizeOf(amount)}`}>{amount}</p>
      {isOpen && <Countdown expiresAt={order.expiresAt} offsetMs={offsetMs} />}
      <dl>
        {hasRefund(order) && (
          <Detail label={cashier.refunded}>{payableAmount(order.refunded, order.currency, language)}</Detail>
        )}
        {order.subject !== null && <Detail label={cashier.subject}>{order.subject}</Detail>}
        <Detail label={cashier.order} action={<CopyButton text={order.trade_no} />}>
          {order.trade_no}
        </Detail>
      </dl>
    </section>
  );
}

/** Whether a part was given back; a server of the version before does not say. */
function hasRefund({ refunded }: { refunded?: string }): boolean {
  return refunded !== undefined && /[1-9]/.test(refunded);
}

/** Longest amounts, in characters, that fit one line of a narrow phone at full and at medium size. */
const fullSizeLength = 11;
const mediumSizeLength = 14;

function sizeOf(amount: string): 'full' | 'medium' | 'small' {
  if (amount.length <= fullSizeLength) return 'full';
  return amount.length <= mediumSizeLength ? 'medium' : 'small';
}

function Detail({ label, action, children }: { label: string; action?: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span>{children}</span>
        {action}
      </dd>
    </div>
  );
}

/** Time left by the server's clock. The last minute is announced once; the seconds are not read out. */
function Countdown({ expiresAt, offsetMs }: { expiresAt: string; offsetMs: number }) {
  const { cashier } = useCashierI18n().phrases;
  const seconds = useSecondsLeft(expiresAt, offsetMs);
  const isShort = seconds * 1000 <= warningMs;
  return (
    <p className={isShort ? 'countdown countdown-short' : 'countdown'}>
      <span>{cashier.timeLeft}</span>{' '}
      <span role="timer" className="clock">
        {countdownText(seconds)}
      </span>
      <span className="unseen" role="status">
        {isShort && seconds > 0 ? cashier.lastMinute : ''}
      </span>
    </p>
  );
}

function useSecondsLeft(expiresAt: string, offsetMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return secondsLeft(expiresAt, nowMs + offsetMs);
}

const copiedShownMs = 2000;

/** Copies a number. Renders nothing if the browser has no clipboard (plain HTTP). */
function CopyButton({ text }: { text: string }) {
  const { cashier } = useCashierI18n().phrases;
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), copiedShownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  if (!navigator.clipboard) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    );
  return (
    <button type="button" className="copy" onClick={copy}>
      <span aria-live="polite">{isCopied ? cashier.copied : cashier.copy}</span>
    </button>
  );
}
