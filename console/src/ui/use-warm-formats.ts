import { useEffect } from 'react';
import { formatCount, formatInstant, formatMoney, offsetText } from '../platform/format.ts';
import { useLanguage } from '../platform/i18n.ts';
import { useUser } from '../platform/session-store.ts';

/**
 * Makes the formats of amounts, counts and times while the data is still on its way. The first of each costs the
 * browser a good ten milliseconds (four times that on a slow machine), which would hold up the first rows. Each is made
 * by itself, so that whoever types or clicks meanwhile is heard in between.
 */
export function useWarmFormats(): void {
  const language = useLanguage();
  const { zone, merchant } = useUser();
  const { currency } = merchant;
  useEffect(() => {
    const nowMs = Date.now();
    const now = new Date(nowMs).toISOString();
    const timers = [
      () => formatCount(0, language),
      () => formatMoney('0', currency, language),
      () => formatInstant(now, zone, language),
      () => formatInstant(now, zone, language, 'full'),
      () => offsetText(nowMs, zone),
    ].map((make) => setTimeout(make));
    return () => timers.forEach(clearTimeout);
  }, [language, zone, currency]);
}
