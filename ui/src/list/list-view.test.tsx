import { type ReactElement, useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ListScene } from '../../workbench/scenes/list-scene.tsx';
import { orderSource } from '../../workbench/scenes/list-source.ts';
import { show } from '../../workbench/testing/show.tsx';
import { DetailDrawer } from '../overlays/detail-drawer.tsx';
import { ListView } from './list-view.tsx';

const rows = page.getByRole('row');
const header = 1;
const pageOf = 20;

test('a list shows its first page, its total and its sum, and turns the pages', async () => {
  await show(<ListScene />);
  await expect.element(rows.first()).toBeVisible();
  await expect.poll(() => rows.elements().length).toBe(pageOf + header);
  await expect.element(page.getByText('45 rows')).toBeVisible();
  await expect.element(page.getByText('¥46,012.50')).toBeVisible();
  await page.getByRole('button', { name: 'Older' }).click();
  await expect.element(page.getByText('C260303000000025')).toBeVisible();
  await page.getByRole('button', { name: 'Older' }).click();
  await expect.poll(() => rows.elements().length).toBe(5 + header);
});

test('a filter narrows the rows, shows its value, and is removed', async () => {
  await show(<ListScene />);
  await page.getByRole('button', { name: 'Order status' }).click();
  const box = page.getByRole('dialog', { name: 'Order status' });
  await box.getByRole('checkbox', { name: 'Failed' }).click();
  await box.getByRole('button', { name: 'Apply' }).click();
  await expect.element(page.getByText('9 rows')).toBeVisible();
  await expect.poll(() => rows.elements().length).toBe(9 + header);
  await page.getByRole('button', { name: 'Remove filter: Order status' }).click();
  await expect.element(page.getByText('45 rows')).toBeVisible();
});

test('an amount that is none is refused, and a reversed range, too', async () => {
  await show(<ListScene />);
  await page.getByRole('button', { name: 'Amount', exact: true }).first().click();
  const from = page.getByRole('textbox', { name: 'From (CNY)' });
  await from.fill('12x');
  await userEvent.keyboard('{Enter}');
  await expect.element(from).toHaveAttribute('aria-invalid', 'true');
  await from.fill('1040');
  await page.getByRole('textbox', { name: 'To (CNY)' }).fill('1030');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('The maximum amount cannot be less than the minimum.')).toBeVisible();
  await page.getByRole('textbox', { name: 'To (CNY)' }).fill('1,044.50');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('5 rows')).toBeVisible();
});

test('a column is hidden, and stays so', async () => {
  await show(<ListScene />);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: 'Order status' }).click();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('columnheader', { name: 'Order status' })).not.toBeInTheDocument();
  expect(localStorage.getItem('columns.workbench')).toBe('status');
});

/** The list, and a button that shows it anew, as a reload does. */
function ListAgain(): ReactElement {
  const [version, setVersion] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setVersion(version + 1)}>
        Again
      </button>
      <ListScene key={version} />
    </>
  );
}

const heightOf = (locator: typeof rows) => locator.element().getBoundingClientRect().height;

test('rows stand closer or wider apart than elsewhere, and stay so until that is reset', async () => {
  await show(<ListAgain />);
  await expect.element(rows.nth(1)).toBeVisible();
  const usual = heightOf(rows.nth(1));
  await page.getByRole('button', { name: 'Columns' }).click();
  const box = page.getByRole('dialog', { name: 'Columns' });
  await expect.element(box.getByRole('radio', { name: 'Follow interface' })).toBeChecked();
  await expect.element(box.getByRole('button', { name: 'Reset to default' })).toBeDisabled();
  await box.getByRole('radio', { name: 'Comfortable' }).click();
  await expect.poll(() => heightOf(rows.nth(1))).toBeGreaterThan(usual);
  await box.getByRole('radio', { name: 'Compact' }).click();
  await expect.poll(() => heightOf(rows.nth(1))).toBeLessThan(usual);
  const compact = heightOf(rows.nth(1));
  expect(localStorage.getItem('density.workbench')).toBe('compact');
  await userEvent.keyboard('{Escape}');

  await page.getByRole('button', { name: 'Again' }).click();
  await expect.poll(() => heightOf(rows.nth(1))).toBe(compact);
  document.documentElement.dataset.size = 'large';
  expect(heightOf(rows.nth(1)) - compact).toBeLessThan(8);
  document.documentElement.dataset.size = 'default';
  await page.getByRole('button', { name: 'Columns' }).click();
  await box.getByRole('button', { name: 'Reset to default' }).click();
  await expect.poll(() => heightOf(rows.nth(1))).toBe(usual);
  expect(localStorage.getItem('density.workbench')).toBeNull();
});

test('on a phone the cards follow the same choice', async () => {
  await show(<ListScene />, { width: 390 });
  const card = page.getByRole('listitem').first();
  await expect.element(card).toBeVisible();
  const usual = heightOf(card);
  await page.getByRole('button', { name: 'List tools' }).click();
  await page.getByRole('menuitem', { name: 'Columns' }).click();
  await page.getByRole('radio', { name: 'Compact' }).click();
  await expect.poll(() => document.querySelector('li')?.getBoundingClientRect().height).toBeLessThan(usual);
});

test('a row opens its detail, which leads to the next one', async () => {
  await show(<ListScene />);
  await page.getByRole('link', { name: 'C260303000000045' }).click();
  await expect.element(page.getByRole('dialog', { name: 'C260303000000045' })).toBeVisible();
  await page.getByRole('button', { name: 'Next in the list' }).click();
  await expect
    .element(page.getByRole('dialog', { name: 'C260303000000044' }))
    .toMatchTextContent(/¥1,001\.50/);
});

test('on a phone the rows are cards and the tools are a menu', async () => {
  await show(<ListScene />, { width: 390 });
  await expect.element(page.getByRole('list', { name: 'Transactions' })).toBeVisible();
  await page.getByRole('button', { name: 'List tools' }).click();
  await page.getByRole('menuitem', { name: 'Columns' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Columns' })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
});

/** Position of a row's top in the window. */
const topOf = (row: Element | null | undefined) => row?.getBoundingClientRect().top ?? Number.NaN;

test('on a phone another page begins at its first row, and a filter does not scroll down to the rows', async () => {
  await show(<ListScene />, { width: 390 });
  const card = () => topOf(document.querySelector('li'));
  await page.getByRole('button', { name: 'Older' }).click();
  await expect.element(page.getByText('C260303000000025')).toBeVisible();
  await expect.poll(card).toBeGreaterThanOrEqual(0);
  expect(card()).toBeLessThan(100);
  scrollTo(0, 0);
  await page.getByRole('button', { name: 'Order status' }).click();
  const box = page.getByRole('dialog', { name: 'Order status' });
  await box.getByRole('checkbox', { name: 'Failed' }).click();
  await box.getByRole('button', { name: 'Apply' }).click();
  await expect.element(page.getByText('9 rows')).toBeVisible();
  expect(scrollY).toBe(0);
});

/** A list inside a drawer, which scrolls it. */
function ListInDrawer(): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <h1>Drawer</h1>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      {isOpen && (
        <DetailDrawer title="Lines" onClose={() => setIsOpen(false)}>
          <ListView
            name="lines"
            nested="lines"
            title="collections.title"
            source={orderSource}
            rowKey={({ number }) => number}
            columns={[{ key: 'number', title: 'collections.trade_no', render: ({ number }) => number }]}
            empty={{ text: 'ui.nothingFound' }}
          />
        </DetailDrawer>
      )}
    </>
  );
}

test('in a drawer another page begins at its first row, too', async () => {
  await show(<ListInDrawer />, { size: 'large' });
  await page.getByRole('button', { name: 'Open' }).click();
  const drawer = page.getByRole('dialog', { name: 'Lines' });
  await drawer.getByRole('button', { name: 'Older' }).click();
  await expect.element(drawer.getByText('C260303000000025')).toBeVisible();
  const head = drawer.getByRole('button', { name: 'Close' });
  const below = () => topOf(rows.first().element()) - head.element().getBoundingClientRect().bottom;
  await expect.poll(below).toBeGreaterThanOrEqual(0);
  expect(below()).toBeLessThan(100);
});
