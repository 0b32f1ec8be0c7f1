import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { DialogScene } from '../../workbench/scenes/dialog-scene.tsx';
import { DrawerScene } from '../../workbench/scenes/drawer-scene.tsx';
import { show } from '../../workbench/testing/show.tsx';

const opener = page.getByRole('button', { name: 'Save this view' });
const dialog = page.getByRole('dialog', { name: 'Save this view' });

test('a dialog takes the focus, keeps it inside, and returns it', async () => {
  await show(<DialogScene />);
  await opener.click();
  await expect.element(dialog).toHaveAttribute('aria-modal', 'true');
  const field = dialog.getByRole('textbox', { name: 'View name' });
  await expect.element(field).toHaveFocus();
  for (let presses = 0; presses < 4; presses++) {
    await userEvent.tab();
    expect(dialog.element().contains(document.activeElement)).toBe(true);
  }
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

test('a press beside a dialog keeps what was typed, and beside a side panel closes it', async () => {
  await show(<DialogScene />);
  await opener.click();
  const field = dialog.getByRole('textbox', { name: 'View name' });
  await field.fill('Refunds');
  await userEvent.click(document.body, { position: { x: 4, y: 4 }, force: true });
  await expect.element(field).toHaveValue('Refunds');
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Filters' }).click();
  const side = page.getByRole('dialog', { name: 'Filters' });
  await expect.element(side).toBeVisible();
  await userEvent.click(document.body, { position: { x: 4, y: 4 }, force: true });
  await expect.element(side).not.toBeInTheDocument();
});

test('a drawer walks through the rows, and ends at the first and last one', async () => {
  await show(<DrawerScene />);
  await page.getByRole('button', { name: 'C26030300000000000001' }).click();
  const drawer = (row: number) => page.getByRole('dialog', { name: `C2603030000000000000${row}` });
  await expect.element(drawer(1).getByRole('button', { name: 'Previous in the list' })).toBeDisabled();
  const next = page.getByRole('button', { name: 'Next in the list' });
  await next.click();
  await expect.element(drawer(2)).toMatchTextContent(/ORDER-2/);
  await next.click();
  await expect.element(drawer(3)).toBeVisible();
  await expect.element(next).toBeDisabled();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.element(drawer(3)).not.toBeInTheDocument();
});

test('a dialog above another one darkens it', async () => {
  await show(<DialogScene />);
  await opener.click();
  // While it is covered, it has no role.
  const below = dialog.element();
  const { left, top } = below.getBoundingClientRect();
  await dialog.getByRole('button', { name: 'Clear filters' }).click();
  const above = page.getByRole('dialog', { name: 'Clear filters' });
  await expect.element(above).toBeVisible();
  // In a corner that the upper dialog leaves free, its backdrop is painted over the lower one.
  const backdrop = above.element().parentElement?.previousElementSibling;
  const painted = document.elementsFromPoint(left + 20, top + 4);
  expect(painted).toContain(below);
  expect(painted.slice(0, painted.indexOf(below))).toContain(backdrop);
  await userEvent.keyboard('{Escape}');
  await expect.element(above).not.toBeInTheDocument();
  await expect.element(dialog).toBeVisible();
});
