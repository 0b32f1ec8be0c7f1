import { expect, test } from 'vitest';
import { addMonths, monthGrid, weekdayNames } from './month-grid.ts';

test('monthGrid returns weeks from Monday that contain each day of the month once', () => {
  const weeks = monthGrid('2026-11');
  expect(weeks[0]?.[0]).toBe('2026-10-26');
  expect(weeks.at(-1)?.[6]).toBe('2026-12-06');
  expect(weeks.flat().filter((day) => day.startsWith('2026-11'))).toHaveLength(30);
  // Exactly four weeks.
  expect(monthGrid('2027-02')).toHaveLength(4);
});

test('addMonths clamps to the last day of the month', () => {
  expect(addMonths('2026-12-31', 1)).toBe('2027-01-31');
  expect(addMonths('2028-01-31', 1)).toBe('2028-02-29');
  expect(addMonths('2026-01-15', -1)).toBe('2025-12-15');
});

test('weekdayNames starts with Monday', () => {
  expect(weekdayNames('en-US')[0]?.long).toBe('Monday');
  expect(weekdayNames('zh-CN')[6]?.long).toBe('星期日');
});
