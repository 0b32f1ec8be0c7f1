import { payerFields } from '@hengfu/contract/payer-fields';
import {
  maxLinkQuantity,
  type PaymentLinkDetail,
  paymentLinkEndpoints,
} from '@hengfu/contract/payment-links';
import { Checkbox } from '@hengfu/ui/controls/checkbox.tsx';
import { RadioGroup } from '@hengfu/ui/controls/radio.tsx';
import { Form, LinesField, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { ImageField } from '@hengfu/ui/form/image-field.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { FieldGrid } from '@hengfu/ui/page/apply-layout.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useUser } from '../../platform/session-store.ts';
import { lastDayOf } from '../../shared/forms/last-day.ts';
import { LastDayField } from '../../shared/forms/last-day-field.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { useSentOnce } from '../../shared/forms/use-sent-once.ts';
import { checkName, linkBody, ownNames } from './link-body.ts';
import styles from './payment-links.module.css';

interface LinkFormProps {
  /** The link to change; absent for a new one. */
  link?: PaymentLinkDetail;
  onDone: (link: PaymentLinkDetail) => void;
}

/** The form of a payment link. */
export function LinkForm({ link: current, onDone }: LinkFormProps): ReactElement {
  const t = useT();
  const { zone } = useUser();
  const once = useSentOnce();
  // The link as it was shown: a colleague's change in the meantime must not be undone.
  const [link] = useState(current);
  const schema = linkBody(zone, link);
  const form = useForm({
    schema,
    send: (fields) => {
      const body = schema.parse(fields);
      if (!link) return once((idempotencyKey) => call(paymentLinkEndpoints.create, { body, idempotencyKey }));
      const { link_no, version } = link;
      return call(paymentLinkEndpoints.update, { params: { link_no }, query: { version }, body });
    },
    onDone: ({ data }) => onDone(data),
    inPlace: ['uploads_busy', 'quota_reached', 'merchant_suspended'],
  });
  return (
    <Form isWide state={form} action={t(link ? 'paymentLinks.save' : 'paymentLinks.createSend')}>
      <Offer form={form} link={link} />
      <Price form={form} link={link} />
      <Limits form={form} link={link} />
      <Asked form={form} link={link} />
      <After form={form} link={link} />
    </Form>
  );
}

interface PartProps {
  form: FormState;
  link: PaymentLinkDetail | undefined;
}

function Offer({ form, link }: PartProps): ReactElement {
  const t = useT();
  return (
    <Section title={t('paymentLinks.formOffer')}>
      <div className={styles.part}>
        <TextField
          form={form}
          name="title"
          label={t('paymentLinks.name')}
          defaultValue={link?.title}
          autoComplete="off"
          maxLength={80}
        />
        <LinesField
          form={form}
          name="description"
          label={t('paymentLinks.description')}
          defaultValue={link?.description ?? ''}
          rows={3}
          maxLength={1000}
        />
        <ImageField
          form={form}
          name="picture"
          label={t('paymentLinks.picture')}
          hint={t('paymentLinks.pictureHint')}
          refusal={t('validation.pictureRequired')}
        />
        {link?.hasPicture && <Checkbox name="removePicture">{t('paymentLinks.removePicture')}</Checkbox>}
      </div>
    </Section>
  );
}

type PriceField = 'amount' | 'maxQuantity' | 'least' | 'most';

function Price({ form, link }: PartProps): ReactElement {
  const t = useT();
  const { currency } = useUser().merchant;
  const [kind, setKind] = useState<'fixed' | 'chosen'>(link && link.amount === null ? 'chosen' : 'fixed');
  /** The texts of the fields, which stay while those of the other kind are shown. */
  const [typed, setTyped] = useState<Partial<Record<PriceField, string>>>({});
  const keep = (name: PriceField) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    setTyped((known) => ({ ...known, [name]: value }));
  };
  const money = (name: 'amount' | 'least' | 'most') => (
    <TextField
      form={form}
      name={name}
      label={t('paymentLinks.inCurrency', { label: t(`paymentLinks.${name}`), currency })}
      defaultValue={typed[name] ?? link?.[name] ?? ''}
      onInput={keep(name)}
      inputMode="decimal"
      autoComplete="off"
      maxLength={19}
    />
  );
  return (
    <Section title={t('paymentLinks.formPrice')}>
      <div className={styles.part}>
        <RadioGroup
          label={t('paymentLinks.kind')}
          name="kind"
          value={kind}
          onChange={setKind}
          isRow
          choices={[
            { value: 'fixed', label: t('paymentLinks.kinds.fixed') },
            { value: 'chosen', label: t('paymentLinks.kinds.chosen') },
          ]}
        />
        <FieldGrid>
          {kind === 'fixed' ? (
            <>
              {money('amount')}
              <TextField
                form={form}
                name="maxQuantity"
                label={t('paymentLinks.maxQuantity')}
                defaultValue={typed.maxQuantity ?? String(link?.maxQuantity ?? 1)}
                onInput={keep('maxQuantity')}
                inputMode="numeric"
                autoComplete="off"
                maxLength={String(maxLinkQuantity).length}
              />
            </>
          ) : (
            <>
              {money('least')}
              {money('most')}
            </>
          )}
        </FieldGrid>
      </div>
    </Section>
  );
}

function Limits({ form, link }: PartProps): ReactElement {
  const t = useT();
  const { zone } = useUser();
  return (
    <Section title={t('paymentLinks.formLimits')}>
      <div className={styles.part}>
        <FieldGrid>
          <TextField
            form={form}
            name="maxUses"
            label={t('paymentLinks.maxUses')}
            hint={t('paymentLinks.maxUsesHint')}
            defaultValue={link?.maxUses === null ? '' : link?.maxUses}
            inputMode="numeric"
            autoComplete="off"
            maxLength={7}
          />
          <LastDayField
            form={form}
            name="lastDay"
            label={t('paymentLinks.expiry')}
            hint={t('paymentLinks.expiryHint')}
            none={t('paymentLinks.noExpiry')}
            clear={t('paymentLinks.clearExpiry')}
            value={lastDayOf(link?.expiresAt ?? null, zone)}
          />
        </FieldGrid>
      </div>
    </Section>
  );
}

function Asked({ form, link }: PartProps): ReactElement {
  const t = useT();
  return (
    <Section title={t('paymentLinks.formPayer')}>
      <div className={styles.part}>
        <div className={styles.checks}>
          {payerFields.map((field) => (
            <Checkbox
              key={field}
              name={checkName(field)}
              defaultChecked={link?.asked.known.includes(field) ?? false}
            >
              {t(`paymentLinks.field.${field}`)}
            </Checkbox>
          ))}
        </div>
        <FieldGrid>
          {ownNames.map((name, index) => (
            <TextField
              key={name}
              form={form}
              name={name}
              label={t('paymentLinks.ownField', { number: index + 1 })}
              defaultValue={link?.asked.own[index] ?? ''}
              onInput={() => form.forget('asked')}
              autoComplete="off"
              maxLength={40}
            />
          ))}
        </FieldGrid>
        {form.faults.asked && (
          <p role="alert" className={styles.fault}>
            {t('paymentLinks.ownInvisible')}
          </p>
        )}
      </div>
    </Section>
  );
}

function After({ form, link }: PartProps): ReactElement {
  const t = useT();
  return (
    <Section title={t('paymentLinks.formAfter')}>
      <div className={styles.part}>
        <LinesField
          form={form}
          name="note"
          label={t('paymentLinks.note')}
          hint={t('paymentLinks.noteHint')}
          defaultValue={link?.note ?? ''}
          rows={2}
          maxLength={500}
        />
        <TextField
          form={form}
          name="returnUrl"
          type="url"
          label={t('paymentLinks.returnUrl')}
          hint={t('paymentLinks.returnHint')}
          defaultValue={link?.returnUrl ?? ''}
          autoComplete="off"
          spellCheck={false}
          maxLength={2048}
        />
      </div>
    </Section>
  );
}
