import type { DashboardAgenda } from '@hengfu/contract/dashboard';
import { formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { HasPerm, useUser } from '../../../platform/session-store.ts';

/** When the next settlement is due, and the amount that it would move as of now. */
export function SettlementSection({ data }: { data: DashboardAgenda | undefined }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
  return (
    <Section
      isCard
      title={t('dashboard.settlement.title')}
      extra={
        <HasPerm any={['settlements.read']}>
          <Link to="/collection/Settlements">{t('shell.menu.settlements')}</Link>
        </HasPerm>
      }
    >
      <Figures isBusy={data === undefined}>
        <Figure
          label={t('dashboard.settlement.expected')}
          hint={t('dashboard.settlement.expectedHint')}
          value={data && <Money amount={data.nextSettlement.amount} currency={data.currency} />}
          note={
            data
              ? t('dashboard.settlement.due', {
                  at: formatInstant(data.nextSettlement.at, zone, language, 'minute'),
                })
              : ' '
          }
        />
      </Figures>
    </Section>
  );
}
