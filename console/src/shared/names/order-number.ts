import type { useT } from '@hengfu/ui/language/i18n.ts';
import type { Field } from '@hengfu/ui/page/fields.tsx';

/** A field with a number of ours, explained: its first digits are a time in UTC, unlike the times beside it. */
export function orderNumberField(t: ReturnType<typeof useT>, label: string, number: string): Field {
  const time = utcTimeIn(number);
  return { label, value: number, copy: number, hint: time && t('ui.numberHint', { time }) };
}

/** Returns the time of creation that a number begins with, in UTC; undefined for any other text. */
export function utcTimeIn(number: string): string | undefined {
  const [, year, month, day, hour, minute, second] =
    /^[A-Z](\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d{9}$/.exec(number) ?? [];
  return year && `20${year}-${month}-${day} ${hour}:${minute}:${second}`;
}
