import { settlementCycles, weekdays } from '@hengfu/contract/staff/limits';
import type { Translate } from '@hengfu/ui/language/i18n.ts';

/** Names a settlement cycle by its code, such as `weekly-friday`; undefined for any other text. */
export function cycleText(code: string, t: Translate): string | undefined {
  const [name, day] = code.split('-');
  const cycle = settlementCycles.find((each) => each === name);
  const weekday = weekdays.find((each) => each === day);
  if (!cycle) return undefined;
  const text = t(`officeMerchants.cycles.${cycle}`);
  return weekday ? `${text} (${t(`officeMerchants.weekdays.${weekday}`)})` : text;
}
