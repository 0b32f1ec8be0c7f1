import { expect } from '@playwright/test';
import { open, operator, signIn } from './people.ts';
import { test } from './story.ts';

test('what the operator sets is on the contact page, in the reader’s language, until it is taken away', async ({
  page,
}) => {
  await operator(
    ...['contact', 'set', 'website', 'https://help.hengfu.test/'],
    '--note',
    'Questions and answers',
    '--note-zh-cn',
    '常见问题',
  );
  await signIn(page, '/contactUs');
  const way = page.getByRole('listitem').filter({ hasText: 'Website' });
  await expect(way.getByRole('link')).toHaveAttribute('href', 'https://help.hengfu.test/');
  await expect(way).toContainText('Questions and answers');
  await expect(page.getByRole('main').getByText('demo@hengfu.test')).toBeVisible();

  await page.evaluate(() => localStorage.setItem('language', 'zh-cn'));
  await open(page, '/contactUs', 'zh-cn');
  await expect(page.getByRole('listitem').filter({ hasText: '网站' })).toContainText('常见问题');

  await operator('contact', 'remove', 'website', 'https://help.hengfu.test/');
  await page.reload();
  await expect(page.getByRole('listitem').filter({ hasText: '邮箱' })).toBeVisible();
  await expect(page.getByText('常见问题')).toHaveCount(0);
});
