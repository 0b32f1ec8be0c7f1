import { staffPasskeyEndpoints } from '@hengfu/contract/staff/passkeys';
import { type CurrentStaff, staffSessionEndpoints } from '@hengfu/contract/staff/session';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { LanguageSelect } from '@hengfu/ui/controls/language-select.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { QrCode } from '@hengfu/ui/values/qr-code.tsx';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { boot, productTitle } from '../../platform/boot.ts';
import { reactToFailure } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { useHasSessionEnded, useSignInStep } from '../../platform/session.ts';
import { setStep, setUser } from '../../platform/session-store.ts';
import { useCallForm, useProofForm } from '../../shared/use-call-form.ts';
import styles from './sign-in-page.module.css';

type Step = CurrentStaff['level'];

/** The sign-in page: the password, then a code of the authenticator app, which is bound at the first sign-in. */
export function SignInPage(): ReactElement {
  const t = useT();
  const hasEnded = useHasSessionEnded();
  const step = useSignInStep();
  const enter = (next: Step) => {
    if (next === 'complete') void complete().catch(reactToFailure);
    else setStep(next);
  };
  return (
    <main className={styles.page}>
      <header className={styles.switches}>
        <LanguageSelect />
      </header>
      <div className={styles.content}>
        <p className={styles.name}>{productTitle}</p>
        <h1>{t('office.title')}</h1>
        <p className={styles.subtitle}>{t('office.subtitle')}</p>
        {hasEnded && <Notice tone="waiting">{t('session.ended')}</Notice>}
        {step === 'none' && <PasswordStep onDone={enter} />}
        {step === 'password' && <CodeStep onDone={() => enter('complete')} />}
        {step === 'binding' && <BindingStep onDone={() => enter('complete')} />}
      </div>
    </main>
  );
}

/** Loads the person, whose page then replaces this one. */
async function complete(): Promise<void> {
  setUser((await call(staffSessionEndpoints.user)).data);
}

function PasswordStep({ onDone }: { onDone: (level: Step) => void }): ReactElement {
  const t = useT();
  const form = useCallForm(staffSessionEndpoints.login, ({ level }) => onDone(level));
  const fields = useRef<HTMLDivElement>(null);
  const fill = () => {
    for (const [name, value] of Object.entries(boot?.demo ?? {})) {
      const input = fields.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`);
      if (input) input.value = value;
    }
  };
  return (
    <Form
      state={form}
      action={t('session.submit')}
      isWide
      extra={boot?.demo && <Button onClick={fill}>{t('session.demoTitle')}</Button>}
    >
      <div ref={fields} className={styles.fields}>
        <TextField form={form} name="email" label={t('session.email')} type="email" autoComplete="username" />
        <TextField
          form={form}
          name="password"
          label={t('session.password')}
          type="password"
          autoComplete="current-password"
        />
      </div>
    </Form>
  );
}

/** A code of the authenticator app, or a passkey if the person has one. */
function CodeStep({ onDone }: { onDone: () => void }): ReactElement {
  const t = useT();
  const [factors, setFactors] = useState({ hasApp: true, hasPasskey: false });
  useEffect(() => {
    // A code can be typed even if this fails.
    call(staffPasskeyEndpoints.request).then(
      ({ data: { hasApp, passkey } }) => setFactors({ hasApp, hasPasskey: passkey !== null }),
      () => undefined,
    );
  }, []);
  const { hasApp, hasPasskey } = factors;
  const form = useProofForm(staffSessionEndpoints.challenge, onDone);
  return (
    <Form state={form} action={t(hasApp ? 'office.continue' : 'passkeys.use')} isWide>
      <p>{t(hasApp ? 'twoFactor.challengeText' : 'passkeys.challengeText')}</p>
      {hasApp && (
        <CodeField form={form} hint={t(hasPasskey ? 'passkeys.codeOrPasskey' : 'twoFactor.codeHint')} />
      )}
    </Form>
  );
}

function BindingStep({ onDone }: { onDone: () => void }): ReactElement {
  const t = useT();
  const [secret, setSecret] = useState<{ secretKey: string; url: string }>();
  useEffect(() => {
    call(staffSessionEndpoints.bind).then(({ data }) => setSecret(data), reactToFailure);
  }, []);
  const form = useCallForm(staffSessionEndpoints.confirm, onDone);
  return (
    <Form state={form} action={t('office.bind')} isWide>
      <h2>{t('office.bindTitle')}</h2>
      <p>{t('office.bindText')}</p>
      {secret && (
        <>
          <div className={styles.qr}>
            <QrCode content={secret.url} label={t('twoFactor.qr')} />
          </div>
          <p>
            {t('twoFactor.secret')} <code className={styles.secret}>{secret.secretKey}</code>
          </p>
        </>
      )}
      <CodeField form={form} hint={t('twoFactor.codeHint')} />
    </Form>
  );
}

function CodeField({ form, hint }: { form: FormState; hint: string }): ReactElement {
  const t = useT();
  return (
    <TextField
      form={form}
      name="code"
      label={t('twoFactor.code')}
      hint={hint}
      inputMode="numeric"
      autoComplete="one-time-code"
    />
  );
}
