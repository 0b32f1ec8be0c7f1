import { type CallbackCheck, type CheckStep, checkSteps } from '@hengfu/contract/callback-checks';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { formatCount, formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { HasPerm, useUser } from '../../platform/session-store.ts';
import { toneOf, verdictTone } from './callback-looks.ts';
import styles from './callbacks.module.css';

interface CheckPanelProps {
  url: string;
  check: CallbackCheck | null;
  /** Starts a check. */
  start: () => Promise<unknown>;
  /** The query that a started check changes. */
  queryKey: QueryKey;
}

/** Starts a check of an address, and shows the steps of the last one as they are done. */
export function CheckPanel({ url, check, start: begin, queryKey }: CheckPanelProps): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const isRunning = check !== null && check.verdict === null;
  const start = useAction({
    mutationFn: begin,
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  return (
    <>
      <HasPerm any={['callbacks.manage']}>
        <p className={styles.line}>
          <Button aria-disabled={isRunning || start.isPending} onClick={() => isRunning || start.mutate()}>
            {t(isRunning ? 'endpoints.checking' : 'endpoints.check')}
          </Button>
          <span className={styles.muted}>{t('endpoints.checkHint')}</span>
        </p>
      </HasPerm>
      {check && <Result of={check} isSecure={url.startsWith('https:')} />}
    </>
  );
}

function Result({ of: check, isSecure }: { of: CallbackCheck; isSecure: boolean }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
  const time = formatInstant(check.startedAt, zone, language, 'full');
  return (
    <Section title={t('endpoints.checkTitle', { time })}>
      {check.verdict && <Notice tone={verdictTone(check)}>{t(`endpoints.verdict.${check.verdict}`)}</Notice>}
      <ol className={styles.steps} aria-live="polite">
        {checkSteps
          .filter((name) => name !== 'tls' || isSecure)
          .map((name) => (
            <Step
              key={name}
              name={name}
              of={check.steps.find(({ step }) => step === name)}
              absence={absenceOf(name, check)}
            />
          ))}
      </ol>
    </Section>
  );
}

const icons = { good: 'circleCheck', bad: 'circleCross', waiting: 'alert', calm: 'circleDash' } as const;

/** Says why a step of a check has no result. */
function absenceOf(name: CheckStep['step'], { verdict, steps }: CallbackCheck): PhraseKey {
  if (verdict === null) return 'endpoints.stepPending';
  const isRefused = steps.some(({ step, httpStatus }) => step === 'message' && httpStatus !== null);
  return name === 'signature' && isRefused ? 'endpoints.stepUntold' : 'endpoints.stepSkipped';
}

interface StepProps {
  name: CheckStep['step'];
  /** The step, if it was done. */
  of: CheckStep | undefined;
  /** Why it was not. */
  absence: PhraseKey;
}

/** One step of a check. */
function Step({ name, of, absence }: StepProps): ReactElement {
  const t = useT();
  const tone = of ? toneOf(of) : 'calm';
  return (
    <li>
      <span data-tone={tone}>
        <Icon name={icons[tone]} size={18} />
      </span>
      <strong>{t(`endpoints.steps.${name}`)}</strong>
      <span>{of ? <StepText of={of} /> : t(absence)}</span>
    </li>
  );
}

function StepText({ of }: { of: CheckStep }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { finding, httpStatus, durationMs, offsetSeconds } = of;
  const facts = [
    httpStatus !== null && `HTTP ${httpStatus}`,
    durationMs > 0 && t('endpoints.stepMs', { ms: formatCount(durationMs, language) }),
    offsetSeconds !== null && t('endpoints.offset', { count: offsetSeconds }),
  ].filter((fact) => fact !== false);
  return (
    <>
      {t(finding === null ? 'endpoints.stepGood' : `endpoints.verdict.${finding}`)}{' '}
      <span className={styles.muted}>{facts.join(' · ')}</span>
    </>
  );
}
