import type { ReplyOf } from '@hengfu/contract/endpoint';
import type { staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement, ReactNode } from 'react';
import { cycleText } from '../../../shared/cycle-text.ts';
import table from '../../../shared/table.module.css';
import { TableBox } from '../../../shared/table-box.tsx';
import { ValidFrom } from './valid-from.tsx';

type Settlement = ReplyOf<typeof staffMerchantEndpoints.terms>['data']['settlement'];
type Version = Settlement['versions'][number];

/** When a merchant settles: its cycle, the next cut-off, and the cycles before. */
export function SettlementSection({
  settlement,
  extra,
}: {
  settlement: Settlement;
  extra: ReactNode;
}): ReactElement {
  const t = useT();
  const { versions, zone, nextAt } = settlement;
  return (
    <Section title={t('officeMerchants.settlement')} isCard extra={extra}>
      <Fields
        fields={[
          { label: t('officeMerchants.cycleLabel'), value: cycleText(cycleCode(settlement), t) },
          { label: t('officeMerchants.cutOffAt'), value: `${settlement.cutOff} (${zone})` },
          { label: t('officeMerchants.nextSettlement'), value: <TimeText at={nextAt} /> },
        ]}
      />
      {versions.length > 1 && <Versions versions={versions} />}
    </Section>
  );
}

function Versions({ versions }: { versions: readonly Version[] }): ReactElement {
  const t = useT();
  return (
    <div className={table.part}>
      <TableBox label={t('officeMerchants.cycleVersions')}>
        <thead>
          <tr>
            <th>{t('officeMerchants.validFrom')}</th>
            <th>{t('officeMerchants.cycleLabel')}</th>
            <th>{t('officeMerchants.cutOffAt')}</th>
          </tr>
        </thead>
        <tbody>
          {versions.map((version) => (
            <tr key={version.validFrom}>
              <td>
                <ValidFrom {...version} />
              </td>
              <td>{cycleText(cycleCode(version), t)}</td>
              <td>{version.cutOff}</td>
            </tr>
          ))}
        </tbody>
      </TableBox>
      <p className={table.note}>{t('officeMerchants.cycleVersionsNote')}</p>
    </div>
  );
}

function cycleCode({ cycle, weekday }: Pick<Version, 'cycle' | 'weekday'>): string {
  return weekday === null ? cycle : `${cycle}-${weekday}`;
}
