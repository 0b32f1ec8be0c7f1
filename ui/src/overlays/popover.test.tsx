import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { HintScene } from '../../workbench/scenes/hint-scene.tsx';
import { PopoverScene } from '../../workbench/scenes/popover-scene.tsx';
import { show } from '../../workbench/testing/show.tsx';

const button = page.getByRole('button', { name: 'Views' });
const box = page.getByRole('dialog', { name: 'Save this view' });

test('a box has the focus in its first field, and gives it back', async () => {
  await show(<PopoverScene />);
  await button.click();
  const field = box.getByRole('textbox', { name: 'View name' });
  await expect.element(field).toHaveFocus();
  await expect.element(button).toHaveAttribute('aria-expanded', 'true');
  await userEvent.keyboard('Refunds{Enter}');
  await expect.element(box).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
});

test('its own button closes a box, too, and so does a press elsewhere', async () => {
  await show(<PopoverScene />);
  await button.click();
  await expect.element(box).toBeVisible();
  await button.click();
  await expect.element(box).not.toBeInTheDocument();
  await button.click();
  await expect.element(box).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await expect.element(box).not.toBeInTheDocument();
});

test('a hint describes its button, shows itself on focus, and hides on Escape', async () => {
  await show(<HintScene />);
  const hint = page.getByRole('button', { name: 'Order number' });
  const text = /The first twelve digits are the time of creation in UTC: 2026-03-03 01:35:00/;
  await expect.element(hint).toHaveAccessibleDescription(text);
  await userEvent.tab();
  await expect.element(hint).toHaveFocus();
  const bubble = page.getByRole('tooltip');
  await expect.element(bubble).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(bubble).not.toBeInTheDocument();
  await expect.element(hint).toHaveFocus();
});
