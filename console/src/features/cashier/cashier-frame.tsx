import { checkoutTones } from '@hengfu/contract/checkout-colors';
import type { Language } from '@hengfu/contract/languages';
import { languageNames } from '@hengfu/ui/language/languages.ts';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ChevronIcon, GlobeIcon, LockIcon } from './icons.tsx';
import { fill, useCashierI18n } from './language.tsx';

/** The merchant as its payers see it. */
export interface Brand {
  name: string;
  /** Six hex digits; null: the product's own color. */
  color: string | null;
  /** Path of the logo. */
  logo: string | null;
  /** The registered name, if the name is another one; absent on pages of a server of the version before. */
  registeredName?: string | null;
}

interface CashierFrameProps {
  /** The product's name. */
  title: string;
  /** Null until it is known; then the frame shows the product's name. */
  brand: Brand | null;
  /** The present problem with the connection, as a sentence. */
  trouble?: string | null;
  /** Announced by screen readers whenever it changes. */
  announcement?: string;
  /** On a wide screen, the two parts inside are side by side. */
  hasTwoParts?: boolean;
  isBusy?: boolean;
  children: ReactNode;
}

/** The frame of every page that a payer sees: the merchant's logo, name and color, and the choice of the language. */
export function CashierFrame({
  title,
  brand,
  trouble = null,
  announcement = '',
  hasTwoParts = false,
  isBusy = false,
  children,
}: CashierFrameProps) {
  const { cashier } = useCashierI18n().phrases;
  const header = useBrandColor(brand?.color ?? null);
  return (
    <>
      <header ref={header}>
        {brand ? <BrandName key={brand.logo} brand={brand} /> : <span className="product">{title}</span>}
        <LanguageSwitch />
      </header>
      <p className="trouble" role="status" hidden={trouble === null}>
        {trouble}
      </p>
      <main className={hasTwoParts ? 'order' : undefined} aria-busy={isBusy}>
        {children}
      </main>
      <p className="unseen" role="status">
        {announcement}
      </p>
      <footer>
        <LockIcon />
        {fill(cashier.secure, { title })}
      </footer>
    </>
  );
}

/** Shown in the frame while its content loads. */
export function FrameLoading() {
  const { cashier } = useCashierI18n().phrases;
  return <span className="loading" role="img" aria-label={cashier.loading} />;
}

/** The merchant's logo and name. Without a logo, and if it cannot be loaded, the name's first character takes its place. */
function BrandName({ brand: { name, logo, registeredName } }: { brand: Brand }) {
  const { cashier } = useCashierI18n().phrases;
  const [isBroken, setBroken] = useState(false);
  return (
    <span className="brand">
      {logo !== null && !isBroken ? (
        <img className="logo" src={logo} alt="" width="40" height="40" onError={() => setBroken(true)} />
      ) : (
        <span className="monogram" aria-hidden="true">
          {[...name][0]}
        </span>
      )}
      <span className="brand-names">
        <span className="brand-name">{name}</span>
        {registeredName && (
          <span className="registered-name">{fill(cashier.paidTo, { merchant: registeredName })}</span>
        )}
      </span>
    </span>
  );
}

/**
 * Sets the colors that cashier.css reads, for both themes, on the page or, in a preview, on the element around it. The content security
 * policy forbids style attributes in HTML; properties set by a script are allowed.
 */
function useBrandColor(color: string | null): RefObject<HTMLElement | null> {
  const header = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const root = header.current?.getRootNode();
    const target = root instanceof ShadowRoot ? (root.host as HTMLElement) : document.documentElement;
    for (const theme of ['light', 'dark'] as const) {
      const tones = color === null ? undefined : checkoutTones(color, theme);
      for (const name of ['button', 'onButton', 'accent', 'accentSoft'] as const)
        target.style.setProperty(`--brand-${name.toLowerCase()}-${theme}`, tones?.[name] ?? null);
    }
  }, [color]);
  return header;
}

/** Sets the window's title. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
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
