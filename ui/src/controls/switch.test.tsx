import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { SwitchScene } from '../../workbench/scenes/switch-scene.tsx';
import { show } from '../../workbench/testing/show.tsx';

const control = (name: string | RegExp) => page.getByRole('switch', { name });

test('Space and a press on its label turn it on and off', async () => {
  await show(<SwitchScene />);
  await userEvent.tab();
  await expect.element(control('Fixed header')).toHaveFocus();
  await expect.element(control('Fixed header')).not.toBeChecked();
  await userEvent.keyboard(' ');
  await expect.element(control('Fixed header')).toBeChecked();
  await expect.element(page.getByRole('status')).toHaveTextContent('fixed');
  await page.getByText('Fixed header').click();
  await expect.element(page.getByRole('status')).toHaveTextContent('scrolls');
});

test('a disabled one stays as it is', async () => {
  await show(<SwitchScene />);
  await page.getByText('Sidebar logo').click({ force: true });
  await page.getByText('Watermark').click({ force: true });
  await expect.element(control('Sidebar logo')).toBeChecked();
  await expect.element(control('Watermark')).not.toBeChecked();
});

test.each(['ltr', 'rtl'] as const)('stands at the end of its line, on toward it, %s', async (direction) => {
  await show(<SwitchScene />, { direction });
  const on = control(/^Tabs/).element();
  const { left, right } = on.getBoundingClientRect();
  const line = on.closest('label')?.getBoundingClientRect();
  expect(direction === 'ltr' ? right : left).toBe(direction === 'ltr' ? line?.right : line?.left);
  const start = (name: string | RegExp) =>
    Number.parseFloat(getComputedStyle(control(name).element(), '::before').insetInlineStart);
  expect(start(/^Tabs/)).toBeGreaterThan(start('Fixed header'));
});
