import type { PayLink } from '@hengfu/contract/pay-links';
import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { webLink } from '../cashier.rules.ts';
import type { PayerPageProps } from '../cashier-page.tsx';
import { ResultIcon } from '../icons.tsx';
import { fill, useCashierI18n } from '../language.tsx';
import { type LinkPhrases, useLinkPhrases } from './link-phrases.ts';
import { type AfterPayment, isPayLink, LinkFault, readAfter, readLink } from './pay-link.api.ts';
import './pay-link.css';
import { PayLinkForm } from './pay-link-form.tsx';
import { PayLinkFrame } from './pay-link-frame.tsx';

/** The page of a payment link. A payer who returns from the checkout reads the merchant's note, if the order was paid. */
export function PayLinkPage({ token, title, reply }: PayerPageProps) {
  const order = new URLSearchParams(location.search).get('order');
  return order === null ? (
    <OpenLink token={token} title={title} reply={reply} />
  ) : (
    <AfterPage token={token} order={order} title={title} />
  );
}

/** The state of something that the page reads: the reply, or why there is none. */
interface Read<T> {
  data: T | undefined;
  fault: LinkFault | undefined;
  again: () => void;
  /** Replaces what was read by a newer reply. */
  replace: (data: T) => void;
}

/** Reads something, unless the page came with it. */
function useRead<T>(read: () => Promise<T>, embedded?: T): Read<T> {
  const [state, setState] = useState<Pick<Read<T>, 'data' | 'fault'>>({ data: embedded, fault: undefined });
  const again = () => {
    setState({ data: undefined, fault: undefined });
    read().then(
      (data) => setState({ data, fault: undefined }),
      (error: unknown) =>
        setState({
          data: undefined,
          fault: error instanceof LinkFault ? error : new LinkFault('internal', ''),
        }),
    );
  };
  const first = useEffectEvent(() => {
    if (state.data === undefined) again();
  });
  useEffect(() => first(), []);
  return { ...state, again, replace: (data) => setState({ data, fault: undefined }) };
}

function OpenLink({ token, title, reply }: PayerPageProps) {
  const { language } = useCashierI18n();
  const payLinks = useLinkPhrases(language);
  const {
    data: link,
    fault,
    again,
    replace,
  } = useRead(() => readLink(token, language), isPayLink(reply) ? reply : undefined);
  const isReady = payLinks !== undefined && (link !== undefined || fault !== undefined);
  return (
    <PayLinkFrame title={title} link={link} name={link?.title} isBusy={!isReady}>
      {payLinks && fault && <Faulty fault={fault} payLinks={payLinks} onRetry={again} />}
      {payLinks && link && link.state === 'open' && (
        <PayLinkForm link={link} token={token} payLinks={payLinks} onChanged={replace} />
      )}
      {payLinks && link && link.state !== 'open' && (
        <Closed link={link} state={link.state} payLinks={payLinks} onRetry={again} />
      )}
    </PayLinkFrame>
  );
}

interface ClosedProps {
  link: PayLink;
  state: Exclude<PayLink['state'], 'open'>;
  payLinks: LinkPhrases;
  onRetry: () => void;
}

/** Says why a link takes no payment now. */
function Closed({ link, state, payLinks, onRetry }: ClosedProps) {
  return (
    <Ending
      icon="closed"
      title={payLinks[`${state}Title`]}
      text={fill(payLinks[`${state}Text`], { merchant: link.merchant })}
    >
      {state === 'busy' && <RetryButton payLinks={payLinks} onRetry={onRetry} />}
    </Ending>
  );
}

interface FaultyProps {
  fault: LinkFault;
  payLinks: LinkPhrases;
  onRetry: () => void;
}

function Faulty({ fault, payLinks, onRetry }: FaultyProps) {
  const { cashier } = useCashierI18n().phrases;
  if (fault.code === 'not_found')
    return <Ending icon="unknown" title={payLinks.notFoundTitle} text={payLinks.notFoundText} />;
  const text = fault.code === 'offline' ? payLinks.offline : fault.message || cashier.unavailable;
  return (
    <div className="actions">
      <div className="step">
        <p className="notice notice-bad" role="alert">
          {text}
        </p>
        <RetryButton payLinks={payLinks} onRetry={onRetry} />
      </div>
    </div>
  );
}

function RetryButton({ payLinks, onRetry }: { payLinks: LinkPhrases; onRetry: () => void }) {
  return (
    <button type="button" className="button" onClick={onRetry}>
      {payLinks.retry}
    </button>
  );
}

interface EndingProps {
  icon: ComponentProps<typeof ResultIcon>['of'];
  title: string;
  text: string;
  children?: ReactNode;
}

function Ending({ icon, title, text, children }: EndingProps) {
  return (
    <div className="step result">
      <ResultIcon of={icon} />
      <h1>{title}</h1>
      {text !== '' && <p className="words">{text}</p>}
      {children}
    </div>
  );
}

function AfterPage({ token, order, title }: { token: string; order: string; title: string }) {
  const { language } = useCashierI18n();
  const payLinks = useLinkPhrases(language);
  const { data, fault, again } = useRead(() => readAfter(token, order, language));
  const isReady = payLinks !== undefined && (data !== undefined || fault !== undefined);
  return (
    <PayLinkFrame title={title} link={data} name={data?.merchant} isBusy={!isReady}>
      {payLinks && fault && <Faulty fault={fault} payLinks={payLinks} onRetry={again} />}
      {payLinks && data && (
        <After after={data} token={token} order={order} payLinks={payLinks} onRetry={again} />
      )}
    </PayLinkFrame>
  );
}

interface AfterProps {
  after: AfterPayment;
  token: string;
  order: string;
  payLinks: LinkPhrases;
  onRetry: () => void;
}

/** The merchant's note for somebody who has paid; for others, how the order can still be paid, or what became of it. */
function After({ after, token, order, payLinks, onRetry }: AfterProps) {
  const { cashier } = useCashierI18n().phrases;
  const { merchant, outcome = after.isPaid ? 'paid' : 'payable' } = after;
  const returnUrl = webLink(after.returnUrl);
  const again = (
    <button type="button" className="back" onClick={onRetry}>
      {payLinks.retry}
    </button>
  );
  if (outcome === 'payable')
    return (
      <Ending icon="closed" title={payLinks.unpaidTitle} text={payLinks.unpaidText}>
        <a className="button" href={`/pay/${encodeURIComponent(order)}`}>
          {payLinks.toCheckout}
        </a>
        {again}
      </Ending>
    );
  if (outcome === 'ended')
    return (
      <Ending icon="failed" title={payLinks.endedTitle} text={payLinks.endedText}>
        <a className="button" href={`/pay/link/${encodeURIComponent(token)}`}>
          {payLinks.toForm}
        </a>
        {again}
      </Ending>
    );
  if (outcome === 'returning')
    return (
      <Ending
        icon="returning"
        title={cashier.returningTitle}
        text={fill(cashier.returningText, { merchant })}
      >
        {again}
      </Ending>
    );
  if (outcome === 'notReturned')
    return (
      <Ending
        icon="notReturned"
        title={cashier.notReturnedTitle}
        text={fill(cashier.notReturnedText, { merchant })}
      />
    );
  if (outcome === 'returned')
    return (
      <Ending icon="refunded" title={cashier.refundedTitle} text={fill(cashier.refundedText, { merchant })} />
    );
  return (
    <Ending icon="paid" title={payLinks.paidTitle} text={after.note ?? ''}>
      {returnUrl && (
        <a className="button" href={returnUrl}>
          {fill(cashier.back, { merchant })}
        </a>
      )}
    </Ending>
  );
}
