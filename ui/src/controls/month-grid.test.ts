import { expect, test } from 'vitest';
import { addMonths, firstDayOfWeek, isDay, monthGrid, startOfWeek, weekdayNames } from './month-grid.ts';

test('monthGrid returns weeks from Monday that contain each day of the month once', () => {
  const weeks = monthGrid('2026-11', 1);
  expect(weeks[0]?.[0]).toBe('2026-10-26');
  expect(weeks.at(-1)?.[6]).toBe('2026-12-06');
  expect(weeks.flat().filter((day) => day.startsWith('2026-11'))).toHaveLength(30);
  // Exactly four weeks.
  expect(monthGrid('2027-02', 1)).toHaveLength(4);
  expect(monthGrid('2026-11', 7)[0]?.[0]).toBe('2026-11-01');
});

test('addMonths clamps to the last day of the month', () => {
  expect(addMonths('2026-12-31', 1)).toBe('2027-01-31');
  expect(addMonths('2028-01-31', 1)).toBe('2028-02-29');
  expect(addMonths('2026-01-15', -1)).toBe('2025-12-15');
});

test('a week begins as the region has it', () => {
  expect(['zh-CN', 'en-US', 'vi-VN'].map(firstDayOfWeek)).toEqual([1, 7, 1]);
  expect(startOfWeek('2026-11-25', 1)).toBe('2026-11-23');
  expect(startOfWeek('2026-11-22', 1)).toBe('2026-11-16');
  expect(startOfWeek('2026-11-22', 7)).toBe('2026-11-22');
  expect(weekdayNames('en-US', 7)[0]?.long).toBe('Sunday');
  expect(weekdayNames('en-US', 1)[0]?.long).toBe('Monday');
  expect(weekdayNames('zh-CN', 1)[6]?.long).toBe('星期日');
});

test('isDay accepts days of the calendar only', () => {
  expect(['2026-11-23', '2028-02-29'].filter(isDay)).toHaveLength(2);
  expect(['2026-02-29', '2026-13-01', '2026-1-1', '23.11.2026', ''].filter(isDay)).toEqual([]);
});
