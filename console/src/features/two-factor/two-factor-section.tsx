import { ApiError } from '@hengfu/client/api-error.ts';
import { sessionEndpoints } from '@hengfu/contract/session';
import { twoFactorEndpoints } from '@hengfu/contract/two-factor';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { messageOf, reactToFailure } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { setSessionUser, useUser } from '../../platform/session-store.ts';
import { Binding } from './binding.tsx';
import { FirstBindingSteps } from './first-binding-steps.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { securityEventsKey } from './two-factor.api.ts';
import styles from './two-factor.module.css';

/** The second factor of the signed-in user: bind, turn off, recovery codes. */
export function TwoFactorSection(): ReactElement {
  const t = useT();
  const { twoFactor, factors } = useUser();
  const isOn = twoFactor === 'on';
  const hasApp = factors.includes('app');
  const [step, setStep] = useState<'rest' | 'binding' | 'enrolling' | 'turningOff'>('rest');
  const [fresh, setFresh] = useState<readonly string[]>();
  const client = useQueryClient();
  const refresh = async () => {
    void client.invalidateQueries({ queryKey: securityEventsKey });
    setSessionUser((await call(sessionEndpoints.user)).data);
  };

  const begin = useAction({
    mutationFn: () => call(twoFactorEndpoints.enable, { body: {} }),
    meta: { inPlace: ['enrolment_elsewhere'] },
    onSuccess: () => setStep('binding'),
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'enrolment_elsewhere') setStep('enrolling');
    },
  });
  const turnOff = useAction({
    mutationFn: () => call(twoFactorEndpoints.disable),
    onSuccess: async () => {
      toast('success', t('twoFactor.offText'), 'two-factor');
      setStep('rest');
      await refresh();
    },
  });
  const bindButton = useRef<HTMLButtonElement>(null);
  const wasTurnedOff = turnOff.isSuccess && !isOn;
  // The button that had the focus is gone, and so is the dialog that would return it there.
  useEffect(() => {
    if (wasTurnedOff) bindButton.current?.focus();
  }, [wasTurnedOff]);
  const showBound = async () => {
    toast('success', t('twoFactor.boundText'), 'two-factor');
    setStep('rest');
    await refresh();
  };
  const onBound = async () => {
    await showBound();
    setFresh(await call(twoFactorEndpoints.recoveryCodes));
  };
  return (
    <Section
      isCard
      title={t('twoFactor.title')}
      extra={<span data-on={isOn}>{t(isOn ? 'twoFactor.on' : 'twoFactor.off')}</span>}
    >
      <div className={styles.parts}>
        <p>{t('twoFactor.intro')}</p>
        {isOn && (
          <Notice tone="good" icon="circleCheck">
            {t('twoFactor.onText')}
          </Notice>
        )}
        {!hasApp && step !== 'binding' && step !== 'enrolling' && (
          <Button ref={bindButton} look="primary" onClick={() => begin.mutate()}>
            {t('twoFactor.bind')}
          </Button>
        )}
        {!hasApp && step === 'binding' && <Binding onBound={() => void onBound().catch(reactToFailure)} />}
        {!hasApp && step === 'enrolling' && (
          <Enrolling
            reason={begin.error}
            onDone={() => void showBound().catch(reactToFailure)}
            onCancel={() => setStep('rest')}
          />
        )}
        {isOn && <RecoveryCodes key={fresh?.join()} fresh={fresh} />}
        {isOn && <Button onClick={() => setStep('turningOff')}>{t('twoFactor.turnOff')}</Button>}
      </div>
      {isOn && step === 'turningOff' && (
        <TurnOffDialog onTurnOff={() => turnOff.mutate()} onClose={() => setStep('rest')} />
      )}
    </Section>
  );
}

interface EnrollingProps {
  /** The refusal of a binding without the enrollment code. */
  reason: Error | null;
  onDone: () => void;
  onCancel: () => void;
}

/** Binds the first second factor with an enrollment code, which another merchant of the user requires. */
function Enrolling({ reason, onDone, onCancel }: EnrollingProps): ReactElement {
  const t = useT();
  return (
    <>
      {reason instanceof ApiError && <Notice tone="calm">{messageOf(reason)}</Notice>}
      <FirstBindingSteps onDone={onDone} />
      <p className={styles.buttons}>
        <Button onClick={onCancel}>{t('profile.cancel')}</Button>
      </p>
    </>
  );
}

/** Asks before the second factor is turned off. */
function TurnOffDialog({ onTurnOff, onClose }: { onTurnOff: () => void; onClose: () => void }): ReactElement {
  const t = useT();
  return (
    <Dialog title={t('twoFactor.turnOffTitle')} onClose={onClose}>
      <Notice tone="bad">{t('twoFactor.offWarning')}</Notice>
      <div className={styles.buttons}>
        <Button look="primary" onClick={onTurnOff}>
          {t('twoFactor.turnOff')}
        </Button>
        <Button onClick={onClose}>{t('profile.cancel')}</Button>
      </div>
    </Dialog>
  );
}
