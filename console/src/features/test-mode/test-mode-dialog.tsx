import { testModeEndpoints } from '@hengfu/contract/test-mode';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { HasPerm, useUser } from '../../platform/session-store.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import styles from './test-mode-dialog.module.css';

/** Opens the console by a full page load, so that nothing of the merchant before is kept in memory. */
const openAnew = () => location.assign('/');

/** The dialog of test mode: the way in; and in test mode, the way back, test funds, and wiping the test data. */
export function TestModeDialog({ onClose }: { onClose: () => void }): ReactElement {
  const t = useT();
  const isOn = useUser().merchant.mode === 'test';
  const [isWiping, setWiping] = useState(false);
  return (
    <Dialog title={t(isWiping ? 'testMode.wipe' : 'testMode.title')} onClose={onClose}>
      {isWiping ? (
        <WipeForm onClose={() => setWiping(false)} />
      ) : (
        <>
          <SwitchForm isOn={isOn} onClose={onClose} />
          {isOn && (
            <HasPerm any={['access.manage']}>
              <FundsForm />
              <p className={styles.wipe}>
                <Button onClick={() => setWiping(true)}>{t('testMode.wipe')}</Button>
              </p>
            </HasPerm>
          )}
        </>
      )}
    </Dialog>
  );
}

function SwitchForm({ isOn, onClose }: { isOn: boolean; onClose: () => void }): ReactElement {
  const t = useT();
  const form = useForm({
    send: () => call(testModeEndpoints.set, { body: { isOn: !isOn } }),
    onDone: openAnew,
    inPlace: ['merchant_suspended'],
  });
  return (
    <Form
      state={form}
      action={t(isOn ? 'testMode.leave' : 'testMode.enter')}
      extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
    >
      <p>{t('testMode.enterText')}</p>
      <p className={styles.note}>{t('testMode.sameText')}</p>
    </Form>
  );
}

function FundsForm(): ReactElement {
  const t = useT();
  const { currency } = useUser().merchant;
  const form = useForm({
    schema: testModeEndpoints.addFunds.body,
    send: ({ amount = '' }) => call(testModeEndpoints.addFunds, { body: { amount: String(amount) } }),
    onDone: () => toast('success', t('testMode.added'), 'testFunds'),
  });
  return (
    <section className={styles.funds}>
      <Form state={form} action={t('testMode.funds')} look="outline">
        <TextField
          form={form}
          name="amount"
          inputMode="decimal"
          label={t('testMode.amount', { currency })}
          hint={t('testMode.fundsText')}
        />
      </Form>
    </section>
  );
}

function WipeForm({ onClose }: { onClose: () => void }): ReactElement {
  const t = useT();
  const form = useForm({
    send: () => call(testModeEndpoints.wipe),
    onDone: openAnew,
    inPlace: ['quota_reached'],
  });
  return (
    <Form
      state={form}
      action={t('testMode.wipe')}
      look="danger"
      extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
    >
      <Notice tone="waiting">{t('testMode.wipeText')}</Notice>
    </Form>
  );
}
