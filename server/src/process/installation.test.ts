import pino from 'pino';
import { expect, inject, it } from 'vitest';
import { readConfig } from '#config.ts';
import { testKey } from '../testing/test-database.ts';
import { Installation } from './installation.ts';

it('starts no sandbox bank if the settings name one, in demo mode either', async () => {
  const config = readConfig({
    DEMO: '1',
    APP_KEY: testKey,
    DATABASE_URL: inject('ownerUrl'),
    SANDBOX_URL: 'http://bank.test',
    SANDBOX_SECRET: 'shared with the bank',
  });
  const installation = new Installation(config, pino({ level: 'silent' }));
  installation.start();
  try {
    expect(await installation.sandbox).toEqual({ url: 'http://bank.test', secret: 'shared with the bank' });
  } finally {
    await installation.stop();
  }
});
