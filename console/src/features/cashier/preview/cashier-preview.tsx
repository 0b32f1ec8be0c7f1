import type { CashierOrder } from '@hengfu/contract/cashier';
import { channelCatalogue } from '@hengfu/contract/channels';
import type { Language } from '@hengfu/contract/languages';
import type { Currency } from '@hengfu/contract/money';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { type Brand, CashierFrame } from '../cashier-frame.tsx';
import { CashierI18nProvider, type CashierPhrases, loadPhrases } from '../language.tsx';
import { OrderSummary } from '../order-summary.tsx';
import { ChooseStep } from '../pay-step.tsx';
import { phoneSheets } from './phone-sheets.ts';

interface CashierPreviewProps {
  brand: Brand;
  title: string;
  subject: string;
  currency: Currency;
  language: Language;
  /** The theme of the payer's device. */
  theme: 'light' | 'dark';
  label: string;
}

const minutesLeft = 14;
const sampleAmounts: Record<Currency, string> = {
  CNY: '128.50',
  VND: '450000',
  BRL: '128.50',
  INR: '1280.00',
  USD: '128.50',
  USDT: '128.50',
};

/**
 * The checkout page of a sample order, made of the page's own parts. They are in a shadow tree, so that its style sheets and those of the
 * page around it do not meet.
 */
export function CashierPreview(props: CashierPreviewProps): ReactElement {
  const { language, theme, label } = props;
  const host = useRef<HTMLDivElement>(null);
  const [root, setRoot] = useState<ShadowRoot>();
  const [phrases, setPhrases] = useState<{ language: Language; phrases: CashierPhrases }>();
  useEffect(() => {
    const element = host.current;
    if (element) setRoot(element.shadowRoot ?? element.attachShadow({ mode: 'open' }));
  }, []);
  useEffect(() => {
    if (root) root.adoptedStyleSheets = phoneSheets(theme);
  }, [root, theme]);
  useEffect(() => {
    let isCurrent = true;
    loadPhrases(language).then(
      (loaded) => isCurrent && setPhrases({ language, phrases: loaded }),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return (
    <div ref={host} role="img" aria-label={label}>
      {root &&
        phrases &&
        createPortal(
          <CashierI18nProvider key={phrases.language} first={phrases}>
            <SamplePage {...props} />
          </CashierI18nProvider>,
          root,
        )}
    </div>
  );
}

function SamplePage({ brand, title, subject, currency }: CashierPreviewProps): ReactElement {
  const [order] = useState(() => sampleOrder(currency));
  return (
    <div id="root" inert>
      <CashierFrame title={title} brand={brand} hasTwoParts>
        <OrderSummary order={{ ...order, merchant: brand.name, subject }} offsetMs={0} />
        <section className="actions">
          <ChooseStep order={order} followed={{ isPaying: false, payFault: null }} onPay={() => undefined} />
        </section>
      </CashierFrame>
    </div>
  );
}

function sampleOrder(currency: Currency): CashierOrder {
  const now = Date.now();
  return {
    merchant: '',
    color: null,
    logo: null,
    registeredName: null,
    refunded: '0.00',
    subject: null,
    trade_no: 'C261120160000000000001',
    amount: sampleAmounts[currency],
    currency,
    status: 'toBePaid',
    lateReturn: null,
    expiresAt: new Date(now + minutesLeft * 60_000).toISOString(),
    now: new Date(now).toISOString(),
    channels: Object.entries(channelCatalogue)
      .filter(([, channel]) => channel.currency === currency)
      .map(([code]) => ({ code, name: code })),
    payment: null,
    receipt: null,
    returnUrl: null,
    failureReason: null,
  };
}
