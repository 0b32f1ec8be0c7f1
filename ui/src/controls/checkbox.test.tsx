import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { CheckboxScene } from '../../workbench/scenes/checkbox-scene.tsx';
import { show } from '../../workbench/testing/show.tsx';

const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
const sent = page.getByRole('status');

test('Space and a press on the label check it, and a form sends what is checked', async () => {
  await show(<CheckboxScene />);
  await userEvent.tab();
  await userEvent.tab();
  await expect.element(box('Payouts')).toHaveFocus();
  await userEvent.keyboard(' ');
  await expect.element(box('Payouts')).not.toBeChecked();
  await page.getByText('Settlements').click();
  await expect.element(box('Settlements')).toBeChecked();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.element(sent).toHaveTextContent('kind=Settlements');
  await box('Select C26030300000000000001').click();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.element(sent).toHaveTextContent('kind=Settlements row=on');
});

test('one that stands for several is partly checked while only some of them are', async () => {
  await show(<CheckboxScene />);
  await expect.element(box('All')).toBePartiallyChecked();
  await box('All').click();
  await expect.element(box('All')).toBeChecked();
  await expect.element(box('All')).not.toBePartiallyChecked();
  await expect.element(box('Settlements')).toBeChecked();
  await box('Settlements').click();
  await expect.element(box('All')).toBePartiallyChecked();
});

test('a disabled one keeps its state, and is not sent', async () => {
  await show(<CheckboxScene />);
  await expect.element(box('Always')).toBeDisabled();
  await page.getByText('Always').click({ force: true });
  await page.getByText('Closed').click({ force: true });
  await expect.element(box('Always')).toBeChecked();
  await expect.element(box('Closed')).not.toBeChecked();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.element(sent).toHaveTextContent('kind=Payouts');
});

test.each(['default', 'large', 'small'] as const)('can be pressed on 24 px, size %s', async (size) => {
  await show(<CheckboxScene />, { size });
  const drawn = box('Select C26030300000000000001').element();
  const { left, top, width, height } = drawn.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  for (const [dx, dy] of [
    [-11.5, 0],
    [11.5, 0],
    [0, -11.5],
    [0, 11.5],
  ] as const)
    expect(document.elementFromPoint(x + dx, y + dy)).toBe(drawn);
});

test('its label follows it, right to left, too', async () => {
  const place = () => {
    const [drawn, text] = [box('Always').element(), page.getByText('Always').element()];
    return text.getBoundingClientRect().left - drawn.getBoundingClientRect().left;
  };
  await show(<CheckboxScene />);
  expect(place()).toBeGreaterThan(16);
  await show(<CheckboxScene />, { direction: 'rtl' });
  expect(place()).toBeLessThan(0);
});
