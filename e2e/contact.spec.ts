import { expect } from '@playwright/test';
import { open, operatorAlone, signIn } from './people.ts';
import { test } from './story.ts';

test('the contact page shows what the operator has set, in the reader’s language, until it is removed', async ({
  page,
}) => {
  await operatorAlone(
    ...['contact', 'set', 'website', 'https://help.hengfu.test/'],
    '--note',
    'Questions and answers',
    '--note-zh-cn',
    '常见问题',
  );
  await signIn(page, '/contactUs');
  const contact = page.getByRole('listitem').filter({ hasText: 'Website' });
  await expect(contact.getByRole('link')).toHaveAttribute('href', 'https://help.hengfu.test/');
  await expect(contact).toContainText('Questions and answers');
  await expect(page.getByRole('main').getByText('demo@hengfu.test')).toBeVisible();

  await page.evaluate(() => localStorage.setItem('language', 'zh-cn'));
  await open(page, '/contactUs', 'zh-cn');
  await expect(page.getByRole('listitem').filter({ hasText: '网站' })).toContainText('常见问题');

  await operatorAlone('contact', 'remove', 'website', 'https://help.hengfu.test/');
  await page.reload();
  await expect(page.getByRole('listitem').filter({ hasText: 'support@hengfu.test' })).toBeVisible();
  await expect(page.getByText('常见问题')).toHaveCount(0);
});
