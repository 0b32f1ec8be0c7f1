import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const uses =
  /\b(?:readStored|writeStored|readTabStored|writeTabStored|localStorage|sessionStorage|indexedDB|caches\.open)\b/;

/** Files that store something without the owner in its key, and why nothing of one merchant can be read at another one. */
const exceptions: Readonly<Record<string, string>> = {
  'console/src/app/search/forget-opened.ts': 'deletes',
  'console/src/app/search/recent.ts': 'the value names user and merchant, and is ignored for others',
  'console/src/app/tags/tags.ts': 'the key names user and merchant',
  'console/src/features/cashier/language.tsx': 'the language of a payer',
  'console/src/platform/session-store.ts': 'whether a session exists',
  'ui/src/browser/reload-once.ts': 'when a page was reloaded',
  'ui/src/browser/stored.ts': 'the functions themselves',
  'ui/src/language/i18n.ts': 'the language',
  'ui/src/theme/preferences.ts': 'the looks of the browser: theme, layout, size',
};

test('whatever the browser stores belongs to one user at one merchant, with a reason for each exception', () => {
  const found = ['console/src', 'ui/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
      .map((path) => `${folder}/${path}`)
      .filter((path) => uses.test(readFileSync(join(root, path), 'utf8'))),
  );
  expect(found.sort()).toEqual(Object.keys(exceptions));
});
