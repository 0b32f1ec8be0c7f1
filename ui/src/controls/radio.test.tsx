import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { RadioScene } from '../../workbench/scenes/radio-scene.tsx';
import { show } from '../../workbench/testing/show.tsx';

const radio = (name: string) => page.getByRole('radio', { name, exact: true });

test('Tab stops at the chosen one, arrows choose, and a form sends the choice', async () => {
  await show(<RadioScene />);
  const group = page.getByRole('group', { name: 'Old key' });
  await expect.element(group).toHaveAccessibleDescription(/refused/);
  await userEvent.tab();
  await expect.element(radio('Ends in an hour')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(radio('Ends in a day')).toBeChecked();
  await expect.element(radio('Ends in an hour')).not.toBeChecked();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.element(page.getByRole('status')).toMatchTextContent(/hours=24/);
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect.element(radio('Ends in an hour')).toBeChecked();
});

test('the caller may keep the choice, and a disabled one is skipped', async () => {
  await show(<RadioScene />);
  await userEvent.tab();
  await userEvent.tab();
  await expect.element(radio('CSV')).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(radio('Excel')).toBeChecked();
  await expect.element(page.getByText('Chosen: xlsx')).toBeVisible();
  await expect.element(radio('PDF')).toBeDisabled();
});

test('a row and its labels follow the direction of writing', async () => {
  await show(<RadioScene />, { direction: 'rtl' });
  const left = (name: string) => radio(name).element().getBoundingClientRect().left;
  expect(left('Excel')).toBeLessThan(left('CSV'));
  expect(page.getByText('CSV', { exact: true }).element().getBoundingClientRect().left).toBeLessThan(
    left('CSV'),
  );
});
