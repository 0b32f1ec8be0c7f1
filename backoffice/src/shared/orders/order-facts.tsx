import { useT } from '@hengfu/ui/language/i18n.ts';
import { type Field, Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Timeline, type TimelineEntry } from '@hengfu/ui/page/timeline.tsx';
import type { ReactElement, ReactNode } from 'react';

interface OrderFactsProps {
  fields: readonly Field[];
  /** Parts between the facts and the timeline. */
  children?: ReactNode;
  timeline: readonly TimelineEntry[];
}

/** The facts of an order of either kind, and its timeline. */
export function OrderFacts({ fields, children, timeline }: OrderFactsProps): ReactElement {
  const t = useT();
  return (
    <>
      <Section title={t('payouts.details')}>
        <Fields fields={fields} />
      </Section>
      {children}
      <Section title={t('officeOrders.timeline')}>
        <Timeline entries={timeline} />
      </Section>
    </>
  );
}
