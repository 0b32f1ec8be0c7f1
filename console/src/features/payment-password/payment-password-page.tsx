import { paymentPasswordEndpoints } from '@hengfu/contract/payment-password';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { FieldGrid } from '@hengfu/ui/page/apply-layout.tsx';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { Failure } from '../../shared/failure.tsx';
import { useCallForm } from '../../shared/forms/use-form.ts';
import { Loading } from '../../shared/loading.tsx';
import { paymentPasswordOptions } from './payment-password.api.ts';
import styles from './payment-password.module.css';

/** Prefetches the page's data. */
export const prefetch = (): void => void queryClient.prefetchQuery(paymentPasswordOptions);

/** Settings → Payment password. */
export function PaymentPasswordPage(): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(paymentPasswordOptions);
  return (
    <Page title={t('paymentPassword.title')}>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Loading />}
      {data && (
        <Section isCard title={t(data.isSet ? 'paymentPassword.change' : 'paymentPassword.set')}>
          <p className={styles.intro}>{t('paymentPassword.intro')}</p>
          {data.lockedSeconds > 0 && (
            <Notice tone="waiting">
              {t('paymentPassword.locked', { minutes: Math.ceil(data.lockedSeconds / 60) })}
            </Notice>
          )}
          <PasswordForm isSet={data.isSet} />
        </Section>
      )}
    </Page>
  );
}

function PasswordForm({ isSet }: { isSet: boolean }): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const form = useCallForm(paymentPasswordEndpoints.set, (_reply, element) => {
    element.reset();
    toast('success', t('profile.saved'), 'payment-password');
    void client.invalidateQueries({ queryKey: paymentPasswordOptions.queryKey });
  });
  const field = (name: string, label: string, hint?: string) => (
    <TextField
      form={form}
      name={name}
      type="password"
      label={label}
      autoComplete="off"
      {...(hint && { hint })}
    />
  );
  return (
    <Form isWide state={form} action={t(isSet ? 'paymentPassword.change' : 'paymentPassword.set')}>
      <FieldGrid>
        {isSet &&
          field('current_payment_password', t('paymentPassword.current'), t('paymentPassword.forgotten'))}
        {field('payment_password', t('paymentPassword.next'), t('paymentPassword.hint'))}
        {field('payment_password_confirmation', t('paymentPassword.again'))}
      </FieldGrid>
    </Form>
  );
}
