import type { AskedFields } from '@hengfu/contract/payer-fields';
import type { Translate } from '@hengfu/ui/language/i18n.ts';

/** The fields that payers fill in, as one line. */
export function askedText({ known, own }: AskedFields, t: Translate): string {
  const names = [...known.map((field) => t(`paymentLinks.field.${field}`)), ...own];
  return names.length === 0 ? t('paymentLinks.nothingAsked') : names.join(' · ');
}
