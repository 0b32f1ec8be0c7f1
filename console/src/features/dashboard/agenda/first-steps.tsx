import { type DashboardAgenda, dashboardEndpoints, type FirstStep } from '@hengfu/contract/dashboard';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { call } from '../../../platform/http.ts';
import { agendaOptions } from '../dashboard.api.ts';
import styles from '../dashboard-page.module.css';

/** The page on which each step is done. */
const pages = {
  twoFactor: '/setting/accountSecurity',
  paymentPassword: '/setting/paymentPassword',
  accessKey: '/setting/interfaceKey',
  whitelist: '/setting/ipAddress',
  order: '/collection/payments',
} as const satisfies Record<FirstStep, string>;

/** The first steps of a new merchant. The server knows which steps are done; the list goes away when it is dismissed. */
export function FirstSteps({ steps }: { steps: NonNullable<DashboardAgenda['firstSteps']> }): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const dismissal = useAction({
    mutationFn: () => call(dashboardEndpoints.dismissFirstSteps),
    onSuccess: () =>
      client.setQueryData(agendaOptions.queryKey, (agenda) => agenda && { ...agenda, firstSteps: null }),
  });
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Section
      isCard
      title={t('dashboard.steps.title')}
      extra={
        <span className={styles.progress}>
          <span>{t('dashboard.steps.progress', { done, count: steps.length })}</span>
          <Button look="quiet" disabled={dismissal.isPending} onClick={() => dismissal.mutate()}>
            {t('dashboard.steps.dismiss')}
          </Button>
        </span>
      }
    >
      <ol className={styles.steps}>
        {steps.map(({ step, isDone }) => (
          <li key={step} data-done={isDone}>
            <Icon name={isDone ? 'circleCheck' : 'circleDash'} />
            {isDone ? (
              <span>{t(`dashboard.steps.${step}`)}</span>
            ) : (
              <Link to={pages[step]}>{t(`dashboard.steps.${step}`)}</Link>
            )}
            <span className="visually-hidden">
              {t(isDone ? 'dashboard.steps.isDone' : 'dashboard.steps.isOpen')}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
