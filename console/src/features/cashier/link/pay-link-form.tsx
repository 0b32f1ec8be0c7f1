import type { PayLink } from '@hengfu/contract/pay-links';
import { type ComponentProps, type SubmitEvent, useId, useRef, useState } from 'react';
import { fill, payableAmount, useCashierI18n } from '../language.tsx';
import { times } from './link-amounts.ts';
import type { LinkPhrases } from './link-phrases.ts';
import { type FieldFaults, LinkFault, makeOrder, pictureOf, readLink } from './pay-link.api.ts';

interface PayLinkFormProps {
  link: PayLink;
  token: string;
  payLinks: LinkPhrases;
  /** Called with the link as it is now, after the merchant has changed it. */
  onChanged: (link: PayLink) => void;
}

const attemptBytes = 16;

/** A random name for an attempt. Not `randomUUID`, which pages without a secure context lack. */
function newAttempt(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(attemptBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns a function that names attempts: the same contents are the same attempt, which the server makes once. */
function useAttempts(): (order: object) => string {
  const last = useRef({ contents: '', attempt: '' });
  return (order) => {
    const contents = JSON.stringify(order);
    if (last.current.contents !== contents) last.current = { contents, attempt: newAttempt() };
    return last.current.attempt;
  };
}

/** Shows the offer, and the fields that its payer fills in. Continues to the checkout page. */
export function PayLinkForm({ link, token, payLinks, onChanged }: PayLinkFormProps) {
  const { language } = useCashierI18n();
  const [quantity, setQuantity] = useState(1);
  const attemptOf = useAttempts();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<LinkFault>();
  /** Reads the link that has changed; returns the fault that says so. */
  const readAgain = async () => {
    const changed = await readLink(token, language);
    onChanged(changed);
    setQuantity(Math.min(quantity, changed.maxQuantity));
    return new LinkFault('conflict', '');
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFault(undefined);
    try {
      const order = orderOf(new FormData(event.currentTarget), link, quantity);
      location.assign(
        await makeOrder(token, { attempt: attemptOf(order), ...order }, { version: link.version, language }),
      );
    } catch (error) {
      const refused = error instanceof LinkFault ? error : new LinkFault('internal', '');
      setFault(
        refused.code === 'conflict' ? await readAgain().catch(() => new LinkFault('offline', '')) : refused,
      );
      setBusy(false);
    }
  };
  return (
    <div className="actions">
      <Offer link={link} token={token} />
      <form className="step" noValidate onSubmit={(event) => void submit(event)}>
        <Price
          link={link}
          payLinks={payLinks}
          faults={fault?.fields ?? {}}
          quantity={quantity}
          onQuantity={setQuantity}
        />
        <Answers link={link} payLinks={payLinks} faults={fault?.fields ?? {}} />
        <Refused fault={fault} link={link} payLinks={payLinks} />
        <button className="button" type="submit" disabled={isBusy} aria-busy={isBusy}>
          {isBusy ? payLinks.sending : payLinks.next}
        </button>
      </form>
    </div>
  );
}

/** Whether fields of the form show everything that is wrong. */
function isAtFields({ amount, asked }: PayLink, { fields }: LinkFault): boolean {
  const shown: readonly string[] = [...(amount === null ? ['amount'] : []), ...asked.known];
  const faulty = Object.keys(fields);
  return faulty.length > 0 && faulty.every((name) => shown.includes(name) || /^own(\.|$)/.test(name));
}

/** Says why there is no order, unless the fields say it. */
function Refused({
  fault,
  link,
  payLinks,
}: {
  fault: LinkFault | undefined;
  link: PayLink;
  payLinks: LinkPhrases;
}) {
  const { cashier } = useCashierI18n().phrases;
  if (!fault || isAtFields(link, fault)) return null;
  const texts: Partial<Record<LinkFault['code'], string>> = {
    offline: payLinks.offline,
    conflict: payLinks.changed,
  };
  const text = texts[fault.code] ?? (fault.message || cashier.faults.other);
  return (
    <p className="notice notice-bad" role="alert">
      {text}
    </p>
  );
}

function Offer({ link, token }: { link: PayLink; token: string }) {
  return (
    <div className="offer">
      {link.hasPicture && <img className="picture" src={pictureOf(token)} alt="" />}
      <h1>{link.title}</h1>
      {link.description !== null && <p className="words">{link.description}</p>}
    </div>
  );
}

interface PriceProps {
  link: PayLink;
  payLinks: LinkPhrases;
  faults: FieldFaults;
  quantity: number;
  onQuantity: (quantity: number) => void;
}

/** The amount to pay: the merchant's, times the quantity, or one that the payer enters. */
function Price({ link, payLinks, faults, quantity, onQuantity }: PriceProps) {
  const { language } = useCashierI18n();
  const money = (amount: string) => payableAmount(amount, link.currency, language);
  if (link.amount === null)
    return (
      <Field
        name="amount"
        label={payLinks.amount}
        hint={fill(payLinks.range, { least: money(link.least ?? '0'), most: money(link.most ?? '0') })}
        fault={faults.amount}
        inputMode="decimal"
        autoComplete="off"
        maxLength={19}
        required
      />
    );
  return (
    <>
      {link.maxQuantity > 1 && (
        <label className="field">
          <span>{payLinks.quantity}</span>
          <select
            className="box"
            value={quantity}
            onChange={({ target }) => onQuantity(Number(target.value))}
          >
            {Array.from({ length: link.maxQuantity }, (_, index) => index + 1).map((count) => (
              <option key={count} value={count}>
                {count}
              </option>
            ))}
          </select>
        </label>
      )}
      <p className="total">
        <span>{payLinks.total}</span>
        <strong>{money(times(link.amount, quantity))}</strong>
      </p>
    </>
  );
}

const autoComplete = { name: 'name', email: 'email', reference: 'off' } as const;

function Answers({ link, payLinks, faults }: Pick<PriceProps, 'link' | 'payLinks' | 'faults'>) {
  return (
    <>
      {link.asked.known.map((field) => (
        <Field
          key={field}
          name={field}
          label={payLinks[field]}
          fault={faults[field]}
          type={field === 'email' ? 'email' : 'text'}
          autoComplete={autoComplete[field]}
          maxLength={200}
          required
        />
      ))}
      {link.asked.own.map((label, index) => (
        <Field
          // An answer stays only with its question.
          key={`${ownName(index)} ${label}`}
          name={ownName(index)}
          label={label}
          fault={faults[`own.${index}`] ?? faults.own}
          autoComplete="off"
          maxLength={200}
          required
        />
      ))}
    </>
  );
}

const ownName = (index: number) => `own${index}`;

interface FieldProps extends ComponentProps<'input'> {
  name: string;
  label: string;
  hint?: string | undefined;
  fault?: string | undefined;
}

function Field({ label, hint, fault, ...input }: FieldProps) {
  const id = useId();
  // The hint stays: it may say how to mend the fault.
  const texts = Object.entries({ fault, hint }).filter(([, text]) => text !== undefined);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="box"
        type="text"
        aria-invalid={fault !== undefined}
        aria-describedby={texts.map(([name]) => `${id}-${name}`).join(' ') || undefined}
        {...input}
      />
      {texts.map(([name, text]) => (
        <p key={name} id={`${id}-${name}`} className={name} role={name === 'fault' ? 'alert' : undefined}>
          {text}
        </p>
      ))}
    </div>
  );
}

/** Reads the form's fields. Empty ones are sent as well, so that the server names all that are missing at once. */
function orderOf(fields: FormData, link: PayLink, quantity: number) {
  const text = (name: string) => String(fields.get(name) ?? '').trim() || undefined;
  return {
    ...(link.amount === null ? { amount: text('amount') ?? '' } : { quantity }),
    ...Object.fromEntries(link.asked.known.map((field) => [field, text(field) ?? ''])),
    ...(link.asked.own.length > 0 && { own: link.asked.own.map((_, index) => text(ownName(index)) ?? '') }),
  };
}
