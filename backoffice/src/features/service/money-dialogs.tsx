import { depositWalletEndpoints, ratedCurrencies, rateEndpoints } from '@hengfu/contract/staff/rates';
import { networkCodes, networks } from '@hengfu/contract/wallets';
import { SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { AskDialog } from './ask-dialog.tsx';

interface DialogProps {
  onClose: () => void;
}

/** Asks for an exchange rate. */
export function RateDialog({ onClose }: DialogProps): ReactElement {
  const t = useT();
  return (
    <AskDialog title={t('officeService.askRate')} endpoint={rateEndpoints.ask} onClose={onClose}>
      {(form) => (
        <>
          <SelectField form={form} name="currency" label={t('officeService.currency')}>
            {ratedCurrencies.map((currency) => (
              <option key={currency} value={currency}>
                {currency}
              </option>
            ))}
          </SelectField>
          <TextField
            form={form}
            name="rate"
            label={t('officeService.rate')}
            inputMode="decimal"
            autoComplete="off"
          />
        </>
      )}
    </AskDialog>
  );
}

/** Asks for a deposit wallet, or for a network to take no new top-ups. */
export function WalletDialog({ onClose }: DialogProps): ReactElement {
  const t = useT();
  return (
    <AskDialog title={t('officeService.askWallet')} endpoint={depositWalletEndpoints.ask} onClose={onClose}>
      {(form) => (
        <>
          <SelectField form={form} name="network" label={t('officeService.network')}>
            {networkCodes.map((network) => (
              <option key={network} value={network}>
                {networks[network].name}
              </option>
            ))}
          </SelectField>
          <TextField form={form} name="address" label={t('officeService.address')} autoComplete="off" />
          <TextField
            form={form}
            name="minimum"
            label={`${t('officeService.minimum')} (USDT)`}
            defaultValue="10"
            inputMode="decimal"
            autoComplete="off"
          />
          <SelectField form={form} name="state" label={t('officeService.takesTopups')}>
            <option value="open">{t('officeService.taken')}</option>
            <option value="closed">{t('officeService.notTaken')}</option>
          </SelectField>
        </>
      )}
    </AskDialog>
  );
}
