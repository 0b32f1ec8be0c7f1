import { approverRoles, isSettingKind, maxApprovers, ruleKinds } from '@hengfu/contract/approval-rules';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Checkbox } from '@hengfu/ui/controls/checkbox.tsx';
import { SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { useUser } from '../../platform/session-store.ts';
import { fieldsAlone } from '../../shared/forms/fields-alone.ts';
import styles from './approval-rules.module.css';
import type { RuleDraft } from './rule-draft.ts';

interface RuleFieldsProps {
  number: number;
  draft: RuleDraft;
  people: readonly { id: string; name: string }[];
  fault: string | undefined;
  onChange: (changed: Partial<RuleDraft>) => void;
  onRemove: () => void;
}

const approverCounts = Array.from({ length: maxApprovers }, (_, index) => index + 1);

/** The fields of one rule. */
export function RuleFields({
  number,
  draft,
  people,
  fault,
  onChange,
  onRemove,
}: RuleFieldsProps): ReactElement {
  const t = useT();
  const prefix = `rule-${draft.key}-`;
  return (
    <fieldset className={styles.rule}>
      <legend>{t('approvals.rule', { number })}</legend>
      <div className={styles.figures}>
        <SelectField
          form={fieldsAlone}
          name={`${prefix}kind`}
          label={t('approvals.ruleKind')}
          value={draft.kind}
          onChange={({ target }) =>
            onChange({ kind: ruleKinds.find((kind) => kind === target.value) ?? draft.kind })
          }
        >
          {ruleKinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`approvals.ruleKinds.${kind}`)}
            </option>
          ))}
        </SelectField>
        {!isSettingKind(draft.kind) && (
          <AmountField
            name={`${prefix}amount`}
            value={draft.amount}
            onChange={(amount) => onChange({ amount })}
          />
        )}
        <SelectField
          form={fieldsAlone}
          name={`${prefix}approvers`}
          label={t('approvals.approvers')}
          value={String(draft.approvers)}
          onChange={({ target }) => onChange({ approvers: Number(target.value) })}
        >
          {approverCounts.map((count) => (
            <option key={count} value={count}>
              {count}
            </option>
          ))}
        </SelectField>
      </div>
      {draft.kind === 'payee' && <p className={styles.note}>{t('approvals.payeeHint')}</p>}
      {isSettingKind(draft.kind) && <p className={styles.note}>{t(`approvals.settingHint.${draft.kind}`)}</p>}
      <Choices
        label={t('approvals.rolesThatApprove')}
        options={approverRoles.map((role) => ({ value: role, label: t(`team.role.${role}`) }))}
        chosen={draft.roles}
        onChange={(roles) => onChange({ roles: approverRoles.filter((role) => roles.includes(role)) })}
      />
      {people.length > 0 && (
        <Choices
          label={t('approvals.peopleWhoApprove')}
          options={people.map(({ id, name }) => ({ value: id, label: name }))}
          chosen={draft.people}
          onChange={(chosen) => onChange({ people: chosen })}
        />
      )}
      {fault !== undefined && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
      <div>
        <Button onClick={onRemove}>{t('approvals.removeRule', { number })}</Button>
      </div>
    </fieldset>
  );
}

interface AmountFieldProps {
  name: string;
  value: string;
  onChange: (amount: string) => void;
}

/** The amount from which a rule covers orders. */
function AmountField({ name, value, onChange }: AmountFieldProps): ReactElement {
  const t = useT();
  const { currency } = useUser().merchant;
  return (
    <TextField
      form={fieldsAlone}
      name={name}
      label={t('approvals.fromAmount', { currency })}
      hint={t('approvals.fromAmountHint')}
      inputMode="decimal"
      autoComplete="off"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

interface ChoicesProps {
  label: string;
  options: readonly { value: string; label: string }[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

function Choices({ label, options, chosen, onChange }: ChoicesProps): ReactElement {
  return (
    <fieldset className={styles.choice}>
      <legend>{label}</legend>
      <div className={styles.choices}>
        {options.map(({ value, label: name }) => (
          <Checkbox
            key={value}
            value={value}
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, value] : chosen.filter((other) => other !== value))
            }
          >
            {name}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}
