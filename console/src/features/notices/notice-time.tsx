import { type Language, localeOf } from '@hengfu/contract/languages';
import { formatInstant, spacedHan } from '@hengfu/ui/language/format.ts';
import { useLanguage } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { useUser } from '../../platform/session-store.ts';

const minuteSeconds = 60;
const hourSeconds = 3600;
const daySeconds = 86_400;

/** Shows "5 minutes ago" within a day, then the instant in the reader's zone; the full instant on hover. */
export function NoticeTime({ at }: { at: string }): ReactElement {
  const language = useLanguage();
  const { zone } = useUser();
  const seconds = Math.max(0, (Date.now() - Date.parse(at)) / 1000);
  const text = seconds < daySeconds ? ago(seconds, language) : formatInstant(at, zone, language, 'minute');
  return (
    <time dateTime={at} title={formatInstant(at, zone, language, 'full')}>
      {text}
    </time>
  );
}

function ago(seconds: number, language: Language): string {
  const format = new Intl.RelativeTimeFormat(localeOf[language], { numeric: 'auto' });
  if (seconds < minuteSeconds) return format.format(0, 'second');
  const text =
    seconds < hourSeconds
      ? format.format(-Math.floor(seconds / minuteSeconds), 'minute')
      : format.format(-Math.floor(seconds / hourSeconds), 'hour');
  return spacedHan(text);
}
