import { type CheckoutSettings, maxCheckoutName } from '@hengfu/contract/checkout';
import { logoTypeOf, logoTypes } from '@hengfu/contract/images';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { ImageField } from '@hengfu/ui/form/image-field.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { ColorField } from './color-field.tsx';

/** The values in the form at the moment. */
export interface Draft {
  name: string;
  color: string;
  /** URL of the logo; null if there is none. */
  logo: string | null;
}

interface BrandFormProps {
  form: FormState;
  saved: CheckoutSettings;
  draft: Draft;
  merchantName: string;
  onChange: (change: Partial<Draft>) => void;
}

const logos = { types: logoTypes, typeOf: logoTypeOf };

/** The fields of the merchant's appearance. */
export function BrandForm({ form, saved, draft, merchantName, onChange }: BrandFormProps): ReactElement {
  const t = useT();
  const isRemoved = draft.logo === null;
  return (
    <Form state={form} action={t('checkout.save')}>
      <TextField
        form={form}
        name="name"
        label={t('checkout.name')}
        hint={t('checkout.nameHint', { name: merchantName })}
        defaultValue={saved.name ?? ''}
        autoComplete="off"
        maxLength={maxCheckoutName}
        onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <ColorField form={form} value={draft.color} onChange={(color) => onChange({ color })} />
      <ImageField
        form={form}
        name="logo"
        label={t('checkout.logo')}
        hint={t('checkout.logoHint')}
        refusal={t('validation.logo')}
        accepted={logos}
        stored={isRemoved ? null : saved.logo}
        onShown={(url) => onChange({ logo: url ?? null })}
      />
    </Form>
  );
}
