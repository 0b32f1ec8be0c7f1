import { checkoutColorNear, checkoutTones, isCheckoutColor } from '@hengfu/contract/checkout-colors';
import { contrastRatio } from '@hengfu/contract/contrast';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import styles from './checkout.module.css';

interface ColorFieldProps {
  form: FormState;
  value: string;
  onChange: (color: string) => void;
}

/** Shown by the picker while there is no color. */
const defaultColor = '#006bd9';

/** The brand color, typed or picked. Says whether it can be read on the page, and proposes a darker one if not. */
export function ColorField({ form, value, onChange }: ColorFieldProps): ReactElement {
  const t = useT();
  const hex = value.trim().toLowerCase();
  const isColor = /^#[\da-f]{6}$/.test(hex);
  const choose = (color: string) => {
    onChange(color);
    form.forget('color');
  };
  return (
    <div className={styles.color}>
      <TextField
        form={form}
        name="color"
        label={t('checkout.color')}
        hint={isColor && isCheckoutColor(hex) ? contrastText(hex) : t('checkout.colorHint')}
        value={value}
        placeholder="#1677FF"
        autoComplete="off"
        spellCheck={false}
        maxLength={7}
        onChange={({ target }) => onChange(target.value)}
      />
      <div className={styles.pick}>
        <input
          type="color"
          aria-label={t('checkout.pick')}
          value={isColor ? hex : defaultColor}
          onChange={({ target }) => choose(target.value)}
        />
        {value !== '' && (
          <Button look="quiet" onClick={() => choose('')}>
            {t('checkout.reset')}
          </Button>
        )}
      </div>
      {isColor && !isCheckoutColor(hex) && (
        <Notice
          tone="waiting"
          action={
            <Button onClick={() => choose(checkoutColorNear(hex))}>
              {t('checkout.nearest', { color: checkoutColorNear(hex).toUpperCase() })}
            </Button>
          }
        >
          {t('validation.checkoutColorPale')}
        </Notice>
      )}
    </div>
  );

  function contrastText(color: string): string {
    const { button, onButton } = checkoutTones(color, 'light');
    const ratio = Math.floor(contrastRatio(button, onButton) * 10) / 10;
    return t('checkout.buttonText', {
      color: t(onButton === '#ffffff' ? 'checkout.white' : 'checkout.black'),
      ratio: ratio.toFixed(1),
    });
  }
}
