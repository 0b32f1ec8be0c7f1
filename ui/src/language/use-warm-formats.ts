import { useEffect } from 'react';
import { formatCount, formatInstant, formatMoney, offsetText } from './format.ts';
import { useLanguage } from './i18n.ts';
import { useUiSettings } from './ui-settings.ts';

/**
 * Creates the formatters of amounts, counts and times while the data is loading. Each takes about ten
 * milliseconds (forty on a slow machine), which would delay the first rows. Each is created in its own task,
 * so that input is handled in between.
 */
export function useWarmFormats(): void {
  const language = useLanguage();
  const { zone, currency } = useUiSettings();
  useEffect(() => {
    const nowMs = Date.now();
    const now = new Date(nowMs).toISOString();
    const timers = [
      () => formatCount(0, language),
      () => formatMoney('0', currency, language),
      () => formatInstant(now, zone, language),
      () => formatInstant(now, zone, language, 'full'),
      () => offsetText(nowMs, zone),
    ].map((format) => setTimeout(format));
    return () => timers.forEach(clearTimeout);
  }, [language, zone, currency]);
}
