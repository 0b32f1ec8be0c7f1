import { testModeEndpoints } from '@hengfu/contract/test-mode';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { boot } from '../../platform/boot.ts';
import { call } from '../../platform/http.ts';
import { useForm } from '../../shared/forms/use-form.ts';

/** Offers test mode, where calls can be sent. Not shown where it is not set up. */
export function TestModeNotice(): ReactElement | null {
  const t = useT();
  const form = useForm({
    send: () => call(testModeEndpoints.set, { body: { isOn: true } }),
    // A full page load keeps nothing of live mode in memory; the address, and with it the open call, stays.
    onDone: () => location.reload(),
    inPlace: ['merchant_suspended'],
  });
  if (boot?.hasTestMode === false) return null;
  const enter = (
    <form onSubmit={form.submit}>
      <Button type="submit" look="primary" aria-disabled={form.isBusy}>
        {t('testMode.enter')}
      </Button>
    </form>
  );
  return (
    <>
      <Notice tone="calm" icon="flask" action={enter}>
        {t('testCalls.inTestMode')}
      </Notice>
      {form.refusal && <Notice tone="bad">{form.refusal}</Notice>}
    </>
  );
}
