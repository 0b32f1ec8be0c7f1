import {
  type SettlementCycle,
  settlementCycles,
  type Weekday,
  weekdays,
} from '@hengfu/contract/staff/limits';
import { merchantSettingsEndpoints } from '@hengfu/contract/staff/merchant-settings';
import { SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type ReactElement, useState } from 'react';
import { AskDialog } from '../ask-dialog.tsx';
import styles from '../merchants.module.css';

interface SettlementDialogProps {
  code: string;
  /** The cycle in force, which the fields begin with. */
  current: { cycle: SettlementCycle; weekday: Weekday | null; cutOff: string };
  onClose: () => void;
}

/** Asks for another settlement cycle. */
export function SettlementDialog({ code, current, onClose }: SettlementDialogProps): ReactElement {
  const t = useT();
  // The fields keep their values while the page is read again.
  const [{ cycle, weekday, cutOff }] = useState(current);
  return (
    <AskDialog
      endpoint={merchantSettingsEndpoints.askSettlement}
      code={code}
      title={t('officeMerchants.newCycle')}
      text={t('officeMerchants.newCycleText')}
      seen={{ seen: { cycle, weekday, cutOff } }}
      onClose={onClose}
    >
      {(form) => (
        <div className={styles.pairs}>
          <SelectField form={form} name="cycle" label={t('officeMerchants.cycleLabel')} defaultValue={cycle}>
            {settlementCycles.map((each) => (
              <option key={each} value={each}>
                {t(`officeMerchants.cycles.${each}`)}
              </option>
            ))}
          </SelectField>
          <SelectField
            form={form}
            name="weekday"
            label={t('officeMerchants.weekday')}
            defaultValue={weekday ?? 'monday'}
          >
            {weekdays.map((day) => (
              <option key={day} value={day}>
                {t(`officeMerchants.weekdays.${day}`)}
              </option>
            ))}
          </SelectField>
          <TextField
            form={form}
            name="cutOff"
            label={t('officeMerchants.cutOffAt')}
            defaultValue={cutOff}
            maxLength={5}
            autoComplete="off"
          />
        </div>
      )}
    </AskDialog>
  );
}
