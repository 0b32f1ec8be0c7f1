import { useEffect } from 'react';
import { formatCount, formatInstant, formatMoney } from '../platform/format.ts';
import { useLanguage } from '../platform/i18n.ts';
import { useUser } from '../platform/session-store.ts';
import { offsetText } from './zone.ts';

/**
 * Makes the formats of amounts, counts and times while the data is still on its way. The first of each costs the
 * browser a good ten milliseconds (four times that on a slow machine), which would hold up the first rows.
 */
export function useWarmFormats(): void {
  const language = useLanguage();
  const { zone, merchant } = useUser();
  const { currency } = merchant;
  useEffect(() => {
    const timer = setTimeout(() => {
      const nowMs = Date.now();
      const now = new Date(nowMs).toISOString();
      formatCount(0, language);
      formatMoney('0', currency, language);
      formatInstant(now, zone, language);
      formatInstant(now, zone, language, 'full');
      offsetText(nowMs, zone);
    });
    return () => clearTimeout(timer);
  }, [language, zone, currency]);
}
