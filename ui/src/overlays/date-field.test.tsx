import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { DateFieldScene } from '../../workbench/scenes/date-field-scene.tsx';
import { show } from '../../workbench/testing/show.tsx';

const button = page.getByRole('combobox', { name: 'From' });
const box = page.getByRole('dialog', { name: 'From' });

test('the day is shown in the reader’s language', async () => {
  await show(<DateFieldScene />);
  await expect.element(button).toHaveTextContent('Mar 04, 2026');
  await show(<DateFieldScene />, { language: 'zh-cn' });
  await expect.element(page.getByRole('combobox')).toHaveTextContent('2026/03/04');
});

test('a day is typed, and nonsense is refused with a reason', async () => {
  await show(<DateFieldScene />);
  await button.click();
  const field = box.getByRole('textbox', { name: 'From' });
  await field.fill('2026-02-30');
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await expect.element(box.getByText('Enter the day as YYYY-MM-DD.')).toBeVisible();
  await field.fill('2026-02-28');
  await userEvent.keyboard('{Enter}');
  await expect.element(box).not.toBeInTheDocument();
  await expect.element(button).toHaveTextContent('Feb 28, 2026');
  await expect.element(button).toHaveFocus();
});

test('a day is picked in the calendar', async () => {
  await show(<DateFieldScene />);
  await button.click();
  await box.getByRole('button', { name: '17 March 2026' }).click();
  await expect.element(box).not.toBeInTheDocument();
  await expect.element(button).toHaveTextContent('Mar 17, 2026');
});
