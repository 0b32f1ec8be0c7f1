import type { SettlementRow } from '@hengfu/contract/settlements';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatMoney } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Filled } from '@hengfu/ui/values/filled.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { firstLinesOptions } from './settlements.api.ts';
import { type NetVerdict, netVerdict } from './settlements.rules.ts';

/** Shows whether a batch's net amount is the sum of its lines. If not, it must not be trusted. */
export function NetCheck({ batch }: { batch: SettlementRow }): ReactElement | null {
  const t = useT();
  const language = useLanguage();
  const { data } = useQuery(firstLinesOptions(batch.settlement_no));
  if (!data) return null;
  const sum = data.sum && formatMoney(data.sum.amount, data.sum.currency, language);
  const net = formatMoney(batch.net, batch.currency, language);
  const texts: Record<NetVerdict, ReactElement> = {
    equal: (
      <Notice tone="good" icon="circleCheck">
        {t('settlements.netMatches')}
        <br />
        <Filled phrase={(value) => t('ui.colonLabelled', { label: t('settlements.linesSum'), value })}>
          <strong>{sum}</strong>
        </Filled>
      </Notice>
    ),
    different: (
      <Notice tone="bad">
        <strong>{t('settlements.netDiffers', { net, sum: sum ?? '' })}</strong>
      </Notice>
    ),
    unknown: <Notice tone="calm">{t('settlements.netUnknown')}</Notice>,
  };
  return texts[netVerdict(batch, data)];
}
