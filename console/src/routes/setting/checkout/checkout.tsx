import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { CashierPreview } from '../../../features/cashier/preview/cashier-preview.tsx';
import { CheckoutPage } from '../../../features/checkout/checkout-page.tsx';
import { productTitle } from '../../../platform/boot.ts';
import { useUser } from '../../../platform/session-store.ts';

export { prefetch } from '../../../features/checkout/checkout-page.tsx';

/** The settings of the checkout page, with a preview made of the page's own parts. */
export function CheckoutWithPreview(): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { merchant } = useUser();
  return (
    <CheckoutPage
      preview={(brand, theme) => (
        <CashierPreview
          brand={brand}
          theme={theme}
          language={language}
          title={productTitle}
          subject={t('checkout.sampleSubject')}
          currency={merchant.currency}
          label={t('checkout.previewLabel')}
        />
      )}
    />
  );
}
