import {
  collectionByHandEndpoints,
  createByHand,
  type MadeByHand,
  payTimeNames,
} from '@hengfu/contract/collections.by-hand';
import { Button, buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Form, SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { FieldGrid } from '@hengfu/ui/page/apply-layout.tsx';
import { Done } from '@hengfu/ui/page/done.tsx';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useUser } from '../../platform/session-store.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import { useSentOnce } from '../../shared/forms/use-sent-once.ts';
import { ShareLink } from '../../shared/link/share-link.tsx';

/** Receive money → New collection. */
export function NewCollectionPage(): ReactElement {
  const t = useT();
  const [made, setMade] = useState<MadeByHand>();
  return (
    <Page title={t('collections.create')} intro={t('collections.createIntro')}>
      {made ? (
        <Made order={made} onAgain={() => setMade(undefined)} />
      ) : (
        <Section isCard title={t('collections.createForm')}>
          <NewCollectionForm onMade={setMade} />
        </Section>
      )}
    </Page>
  );
}

function NewCollectionForm({ onMade }: { onMade: (order: MadeByHand) => void }): ReactElement {
  const t = useT();
  const { currency } = useUser().merchant;
  const once = useSentOnce();
  const form = useForm({
    schema: createByHand,
    send: (body) =>
      once((idempotencyKey) =>
        call(collectionByHandEndpoints.create, { body: createByHand.parse(body), idempotencyKey }),
      ),
    onDone: ({ data }) => onMade(data),
    inPlace: ['out_trade_no_used', 'merchant_suspended'],
  });
  return (
    <Form isWide state={form} action={t('collections.createSend')}>
      <FieldGrid>
        <TextField
          form={form}
          name="amount"
          label={t('collections.amountIn', { currency })}
          inputMode="decimal"
          autoComplete="off"
          maxLength={19}
        />
        <SelectField form={form} name="payTime" label={t('collections.payTime')} defaultValue="m30">
          {payTimeNames.map((name) => (
            <option key={name} value={name}>
              {t(`collections.payTimes.${name}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          form={form}
          name="subject"
          label={t('collections.subject')}
          hint={t('collections.subjectHint')}
          autoComplete="off"
          maxLength={128}
        />
        <TextField
          form={form}
          name="out_trade_no"
          label={t('collections.out_trade_no')}
          hint={t('collections.createHint')}
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
        />
      </FieldGrid>
    </Form>
  );
}

/** Confirms the order, and gives the link and QR code for its payer. */
function Made({ order, onAgain }: { order: MadeByHand; onAgain: () => void }): ReactElement {
  const t = useT();
  const { trade_no } = order;
  const ways = (
    <>
      <Link to="/collection/payments" search={{ open: trade_no }} className={buttonClass('primary')}>
        {t('payouts.follow')}
      </Link>
      <Button onClick={onAgain}>{t('collections.another')}</Button>
    </>
  );
  return (
    <>
      <Done actions={ways}>{t('collections.created', { trade_no })}</Done>
      <Section isCard title={t('collections.cashierUrl')}>
        <ShareLink url={order.cashierUrl} name={order.subject ?? trade_no} fileName={trade_no} />
      </Section>
    </>
  );
}
