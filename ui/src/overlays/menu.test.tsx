import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { MenuScene } from '../../workbench/scenes/menu-scene.tsx';
import { show } from '../../workbench/testing/show.tsx';

const button = page.getByRole('button', { name: 'List tools' });
const menu = page.getByRole('menu', { name: 'List tools' });
const entry = (name: string) => page.getByRole('menuitem', { name });

test('arrows, Home, End and letters move, Enter chooses, and the button has the focus again', async () => {
  await show(<MenuScene />);
  await userEvent.tab();
  await expect.element(button).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(entry('Refresh')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(entry('Columns')).toHaveFocus();
  await userEvent.keyboard('{End}');
  await expect.element(entry('Views')).toHaveFocus();
  await userEvent.keyboard('{Home}');
  await expect.element(entry('Refresh')).toHaveFocus();
  await userEvent.keyboard('v');
  await expect.element(entry('Views')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(page.getByRole('status')).toHaveTextContent('views, Default');
  await expect.element(button).toHaveFocus();
  await expect.element(button).toHaveAttribute('aria-expanded', 'false');
});

test('Escape and a press elsewhere close it without a choice', async () => {
  await show(<MenuScene />);
  await button.click();
  await expect.element(menu).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(menu).not.toBeInTheDocument();
  await button.click();
  await expect.element(menu).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(page.getByRole('status')).toHaveTextContent('–, Default');
});

test('a menu of choices begins at the chosen one and marks it', async () => {
  await show(<MenuScene />);
  await page.getByRole('button', { name: 'Size' }).click();
  const chosen = page.getByRole('menuitemradio', { name: 'Default' });
  await expect.element(chosen).toHaveFocus();
  await expect.element(chosen).toHaveAttribute('aria-checked', 'true');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(page.getByRole('status')).toHaveTextContent('–, Small');
});
