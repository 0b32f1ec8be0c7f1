import { type ApprovalRules, maxApprovalDays, maxRules } from '@hengfu/contract/approval-rules';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type ReactElement, useState } from 'react';
import { fieldsAlone } from '../../shared/forms/fields-alone.ts';
import styles from './approval-rules.module.css';
import { draftOf, newDraft, type RuleDraft, ruleOf } from './rule-draft.ts';
import { RuleFields } from './rule-fields.tsx';
import { SaveRulesDialog } from './save-rules-dialog.tsx';

interface RuleEditorProps {
  of: ApprovalRules & { version: string };
  people: readonly { id: string; name: string }[];
  onSaved: (requestNo: string | null) => void;
  onClose: () => void;
}

/** Edits all rules at once. */
export function RuleEditor({ of, people, onSaved, onClose }: RuleEditorProps): ReactElement {
  const t = useT();
  const [drafts, setDrafts] = useState<RuleDraft[]>(() =>
    of.rules.length === 0 ? [newDraft()] : of.rules.map(draftOf),
  );
  const [days, setDays] = useState(String(of.days));
  // Of the rules that the drafts began with: a colleague's change is not to be undone unseen.
  const [version] = useState(of.version);
  const [isSaving, setSaving] = useState(false);
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const change = (key: number, changed: Partial<RuleDraft>) => {
    setFaults({});
    setDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...changed } : draft)));
  };
  return (
    <div className={styles.editor}>
      {drafts.map((draft, index) => (
        <RuleFields
          key={draft.key}
          number={index + 1}
          draft={draft}
          people={people}
          fault={faultOf(faults, index)}
          onChange={(changed) => change(draft.key, changed)}
          onRemove={() => setDrafts(drafts.filter(({ key }) => key !== draft.key))}
        />
      ))}
      {drafts.length === 0 && <p className={styles.note}>{t('approvals.noRules')}</p>}
      {drafts.length < maxRules && (
        <div>
          <Button onClick={() => setDrafts([...drafts, newDraft()])}>{t('approvals.addRule')}</Button>
        </div>
      )}
      <TextField
        form={{ ...fieldsAlone, faults: faults.days === undefined ? {} : { days: faults.days } }}
        name="days"
        label={t('approvals.days')}
        type="number"
        min={1}
        max={maxApprovalDays}
        value={days}
        onChange={({ target }) => setDays(target.value)}
      />
      <div className={styles.buttons}>
        <Button look="primary" onClick={() => setSaving(true)}>
          {t('approvals.save')}
        </Button>
        <Button onClick={onClose}>{t('profile.cancel')}</Button>
      </div>
      {isSaving && (
        <SaveRulesDialog
          rules={drafts.map(ruleOf)}
          days={Number(days)}
          version={version}
          needsApproval={of.rules.length > 0}
          onFaults={(found) => {
            setFaults(found);
            setSaving(false);
          }}
          onSaved={onSaved}
          onClose={() => setSaving(false)}
        />
      )}
    </div>
  );
}

/** The first fault of a rule; the server names it `rules.<index>.<field>`. */
function faultOf(faults: Readonly<Record<string, string>>, index: number): string | undefined {
  return Object.entries(faults).find(([name]) => name.startsWith(`rules.${index}.`))?.[1];
}
