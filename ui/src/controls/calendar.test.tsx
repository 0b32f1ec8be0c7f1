import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { CalendarScene } from '../../workbench/scenes/calendar-scene.tsx';
import { show } from '../../workbench/testing/show.tsx';

const day = (name: string) => page.getByRole('button', { name, exact: true });
const range = page.getByRole('status');

test('keys move by days, weeks, months and years, and only one day is a stop of Tab', async () => {
  await show(<CalendarScene />);
  (day('4 March 2026').element() as HTMLElement).focus();
  const moves = [
    ['{ArrowRight}', '5 March 2026'],
    ['{ArrowDown}', '12 March 2026'],
    ['{ArrowLeft}', '11 March 2026'],
    ['{ArrowUp}', '4 March 2026'],
    ['{Home}', '1 March 2026'],
    ['{End}', '7 March 2026'],
    ['{PageDown}', '7 April 2026'],
    ['{PageUp}', '7 March 2026'],
    ['{Shift>}{PageDown}{/Shift}', '7 March 2027'],
  ] as const;
  for (const [key, name] of moves) {
    await userEvent.keyboard(key);
    await expect.element(day(name)).toHaveFocus();
  }
  const stops = page.getByRole('grid').element().querySelectorAll('button[tabindex="0"]');
  expect(stops).toHaveLength(1);
});

test('the second day ends the range, whichever comes first', async () => {
  await show(<CalendarScene />);
  await day('20 March 2026').click();
  await expect.element(range).toHaveTextContent('2026-03-20 – 2026-03-20');
  await day('9 March 2026').click();
  await expect.element(range).toHaveTextContent('2026-03-09 – 2026-03-20');
  await expect.element(day('10 March 2026')).toHaveAttribute('aria-current', 'date');
});

test('the week begins as the language’s region has it', async () => {
  await show(<CalendarScene />);
  await expect.element(page.getByRole('columnheader').first()).toHaveTextContent('S');
  await show(<CalendarScene />, { language: 'vi' });
  const first = page.getByRole('columnheader').first().element().querySelector('abbr');
  expect(first?.title).toBe('Thứ Hai');
});
