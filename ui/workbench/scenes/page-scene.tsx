import type { ReactElement } from 'react';
import { useT } from '../../src/language/i18n.ts';
import { Figure, Figures } from '../../src/page/figure-card.tsx';
import { Page } from '../../src/page/page.tsx';
import { Section } from '../../src/page/section.tsx';
import { Sums } from '../../src/page/sums.tsx';
import { Timeline } from '../../src/page/timeline.tsx';
import { Money } from '../../src/values/money.tsx';
import { QrCode } from '../../src/values/qr-code.tsx';

/** The parts of a page: figures, sums, a timeline and a QR code. */
export function PageScene(): ReactElement {
  const t = useT();
  const money = (amount: string) => <Money amount={amount} currency="CNY" />;
  return (
    <Page title={t('collections.title')}>
      <Figures>
        <Figure label={t('collections.amount')} value={money('1234567.89')} size="lead" />
        <Figure label={t('collections.fee')} hint={t('ui.sumTooMany')} value={money('6000.00')} />
      </Figures>
      <Section isCard title={t('collections.fee')}>
        <Sums
          rows={[
            { label: t('collections.amount'), value: money('1000.00') },
            { label: t('collections.fee'), value: money('6.00') },
            { label: t('collections.net'), value: money('994.00') },
          ]}
        />
      </Section>
      <Section isCard title={t('collections.statusLabel')}>
        <Timeline
          entries={[
            {
              at: '2026-03-03T01:35:00.000Z',
              look: { label: 'collections.status.toBePaid', tone: 'waiting', icon: 'circleClock' },
            },
            {
              at: '2026-03-03T01:36:10.000Z',
              look: { label: 'collections.status.paid', tone: 'good', icon: 'circleCheck' },
              channelMessage: 'SUCCESS',
            },
          ]}
        />
      </Section>
      <QrCode content="https://pay.example/C2603030000" label="QR" />
    </Page>
  );
}
