import {
  type CheckoutSettings,
  checkoutEndpoints,
  checkoutForm,
  type PayerBrand,
} from '@hengfu/contract/checkout';
import { isCheckoutColor } from '@hengfu/contract/checkout-colors';
import { RadioGroup } from '@hengfu/ui/controls/radio.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { type DrawnForm, SavedForm } from '@hengfu/ui/form/saved-form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { ApplyLayout } from '@hengfu/ui/page/apply-layout.tsx';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useState } from 'react';
import { call } from '../../platform/http.ts';
import { queryClient } from '../../platform/query-client.ts';
import { useUser } from '../../platform/session-store.ts';
import { Failure } from '../../shared/failure.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Loading } from '../../shared/loading.tsx';
import { BrandForm, type Draft } from './brand-form.tsx';
import { checkoutOptions } from './checkout.api.ts';
import styles from './checkout.module.css';

/** Prefetches the page's data. */
export const prefetch = (): void => void queryClient.prefetchQuery(checkoutOptions);

/** The theme of the payer's device. */
export type PayerTheme = 'light' | 'dark';

interface CheckoutPageProps {
  /** Shows the checkout page with a brand. */
  preview: (brand: PayerBrand, theme: PayerTheme) => ReactNode;
}

/** Settings → Checkout page. */
export function CheckoutPage({ preview }: CheckoutPageProps): ReactElement {
  const t = useT();
  const { data, dataUpdatedAt, error, refetch } = useQuery(checkoutOptions);
  return (
    <Page title={t('checkout.title')} intro={t('checkout.intro')}>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Loading />}
      {data && (
        <SavedForm saved={data} readAt={dataUpdatedAt}>
          {(drawn) => <Editor {...drawn} preview={preview} />}
        </SavedForm>
      )}
    </Page>
  );
}

/** The form, and beside it the page as payers would see it with what the form says. */
function Editor({
  from: saved,
  onEdit,
  onSend,
  onSaved,
  preview,
}: CheckoutPageProps & DrawnForm<CheckoutSettings>): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const { merchant } = useUser();
  const [theme, setTheme] = useState<PayerTheme>('light');
  const [draft, setDraft] = useState<Draft>({
    name: saved.name ?? '',
    color: saved.color ?? '',
    logo: saved.logo,
  });
  const form = useForm({
    schema: checkoutForm,
    send: (body) => {
      const { logo, ...texts } = body as Readonly<Record<'name' | 'color' | 'logo', string>>;
      const change = draft.logo === null ? { logo: null } : { logo: logo || undefined };
      onSend();
      return call(checkoutEndpoints.set, { body: { ...texts, ...change } });
    },
    onDone: () => {
      toast('success', t('profile.saved'), 'checkout');
      onSaved();
      void client.invalidateQueries({ queryKey: checkoutOptions.queryKey });
    },
    inPlace: ['uploads_busy', 'payload_too_large'],
  });
  const color = shownColor(draft.color);
  const name = draft.name.trim() || merchant.name;
  const registeredName = name === merchant.name ? null : merchant.name;
  const brand = { name, color, logo: draft.logo, registeredName };
  return (
    <ApplyLayout
      form={
        <Section isCard title={t('checkout.form')}>
          <BrandForm
            form={form}
            saved={saved}
            draft={draft}
            merchantName={merchant.name}
            onChange={(change) => {
              onEdit();
              setDraft((known) => ({ ...known, ...change }));
            }}
          />
        </Section>
      }
      aside={
        <Section isCard title={t('checkout.preview')}>
          <RadioGroup
            isRow
            label={t('checkout.theme')}
            value={theme}
            choices={(['light', 'dark'] as const).map((value) => ({ value, label: t(`checkout.${value}`) }))}
            onChange={setTheme}
          />
          <div className={styles.phone}>{preview(brand, theme)}</div>
        </Section>
      }
    />
  );
}

/** The color as the page would show it: one that cannot be saved is not shown. */
function shownColor(text: string): string | null {
  const hex = text.trim().toLowerCase();
  return /^#[\da-f]{6}$/.test(hex) && isCheckoutColor(hex) ? hex : null;
}
