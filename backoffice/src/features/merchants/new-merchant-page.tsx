import {
  homeCurrencies,
  type InvitationLink,
  staffMerchantEndpoints,
} from '@hengfu/contract/staff/merchants';
import { buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { ComboboxField, Form, SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useCallForm } from '../../shared/use-call-form.ts';
import styles from './merchants.module.css';
import { OwnerEmail, OwnerLink } from './parts/owner-invitation.tsx';
import { useRefresh } from './use-refresh.ts';

type HomeCurrency = (typeof homeCurrencies)[number];

/** The time zone that a merchant with a currency most likely has. */
const usualZone: Record<HomeCurrency, string> = {
  CNY: 'Asia/Shanghai',
  USD: 'America/New_York',
  INR: 'Asia/Kolkata',
  BRL: 'America/Sao_Paulo',
  VND: 'Asia/Ho_Chi_Minh',
};

/** Creates a merchant in three steps on one page, and shows the link for its owner. */
export function NewMerchantPage(): ReactElement {
  const t = useT();
  const [made, setMade] = useState<{ code: string; invitation: InvitationLink }>();
  return (
    <Page title={t('officeMerchants.create')}>
      {made ? (
        <>
          <Notice
            tone="good"
            icon="circleCheck"
            action={
              <Link to="/merchants/$code" params={{ code: made.code }} className={buttonClass()}>
                {t('officeMerchants.open')}
              </Link>
            }
          >
            {t('officeMerchants.created', { name: made.code })} {t('officeMerchants.nextSteps')}
          </Notice>
          <OwnerLink link={made.invitation} />
        </>
      ) : (
        <MerchantForm onDone={setMade} />
      )}
    </Page>
  );
}

function MerchantForm({
  onDone,
}: {
  onDone: (made: { code: string; invitation: InvitationLink }) => void;
}): ReactElement {
  const t = useT();
  const refresh = useRefresh();
  const form = useCallForm(staffMerchantEndpoints.create, ({ data }) => {
    refresh();
    onDone(data);
  });
  return (
    <Form state={form} action={t('officeMerchants.create')} isWide>
      <Section title={t('officeMerchants.steps.merchant')} isCard>
        <div className={styles.step}>
          <TextField
            form={form}
            name="code"
            label={t('officeMerchants.code')}
            hint={t('officeMerchants.codeHint')}
            maxLength={32}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <TextField
            form={form}
            name="name"
            label={t('officeMerchants.name')}
            hint={t('officeMerchants.nameHint')}
            maxLength={100}
            autoComplete="off"
          />
        </div>
      </Section>
      <Section title={t('officeMerchants.steps.money')} isCard>
        <div className={styles.step}>
          <MoneyFields form={form} />
        </div>
      </Section>
      <Section title={t('officeMerchants.steps.owner')} isCard>
        <div className={styles.step}>
          <OwnerEmail form={form} />
        </div>
      </Section>
    </Form>
  );
}

/** The currency, which proposes a time zone, and the time of the daily settlement. */
function MoneyFields({ form }: { form: ReturnType<typeof useCallForm> }): ReactElement {
  const t = useT();
  const [currency, setCurrency] = useState<HomeCurrency>('CNY');
  const zones = new Set([...Object.values(usualZone), ...Intl.supportedValuesOf('timeZone'), 'UTC']);
  return (
    <>
      <SelectField
        form={form}
        name="currency"
        label={t('officeMerchants.currency')}
        hint={t('officeMerchants.currencyHint')}
        value={currency}
        onChange={({ target }) =>
          setCurrency(homeCurrencies.find((each) => each === target.value) ?? currency)
        }
      >
        {homeCurrencies.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </SelectField>
      <ComboboxField
        key={currency}
        form={form}
        name="zone"
        label={t('officeMerchants.zone')}
        hint={t('officeMerchants.zoneHint')}
        placeholder={t('officeMerchants.chooseZone')}
        defaultValue={usualZone[currency]}
        options={[...zones].map((name) => ({ value: name, label: name }))}
      />
      <TextField
        form={form}
        name="cutOff"
        label={t('officeMerchants.cutOff')}
        hint={t('officeMerchants.cutOffHint')}
        defaultValue="00:00"
        maxLength={5}
        autoComplete="off"
      />
    </>
  );
}
