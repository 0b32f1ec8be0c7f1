import { offsetOf } from '@hengfu/contract/daily-reports';

/** The query of the report of the last days of this browser, up to the day of an instant, in its offset. */
export function lastDays(now: Date, days: number): { from: string; to: string; offset: string } {
  const day = (back: number) => {
    const at = new Date(now.getFullYear(), now.getMonth(), now.getDate() - back);
    const parts = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
    return parts.map((part) => String(part).padStart(2, '0')).join('-');
  };
  return { from: day(days - 1), to: day(0), offset: offsetOf(-now.getTimezoneOffset()) };
}
