import { announcementKinds } from '@hengfu/contract/announcements';
import { contactKinds } from '@hengfu/contract/contact';
import { passwordParts } from '@hengfu/contract/staff/accounts';
import { payoutOutcomes } from '@hengfu/contract/staff/orders';
import { staffRequestKinds } from '@hengfu/contract/staff/requests';
import {
  dayStates,
  differenceKinds,
  differenceStates,
  statementFormats,
} from '@hengfu/contract/staff/statement-days';
import { incidentImpacts, incidentStages, statusComponents } from '@hengfu/contract/status';
import {
  type AuditReader,
  among,
  auditValue,
  byObject,
  eachOf,
  sharedWordings,
  type Wordings,
} from '@hengfu/ui/audit/audit-words.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useUiSettings } from '@hengfu/ui/language/ui-settings.ts';
import { cycleText } from '../../../shared/cycle-text.ts';
import { permText } from '../../../shared/perm-text.ts';
import { roleName } from '../../../shared/role-name.ts';
import { nameOf } from '../incidents/component-name.ts';
import { actorText } from './audit-texts.ts';

const dayState = among(dayStates, (state) => `officeReconciliation.state.${state}`);
const decision = among(differenceStates, (state) => `officeReconciliation.decision.${state}`);
const announcementStates = ['planned', 'shown', 'over'] as const;

/** The wordings of everything that our staff reads. */
export const officeWordings: Wordings = {
  ...sharedWordings,
  state: (value, reader, action) =>
    byObject({
      reconciliation_discard: dayState,
      reconciliation_close: dayState,
      reconciliation: decision,
      announcement: among(announcementStates, (state) => `officeAnnouncements.states.${state}`),
    })(sharedWordings.state(value, reader, action), reader, action.replace('.', '_')),
  kind: byObject({
    staff_request: among(staffRequestKinds, (kind) => `officeRequests.kinds.${kind}`),
    reconciliation: among(differenceKinds, (kind) => `officeReconciliation.kind.${kind}`),
    announcement: among(announcementKinds, (kind) => `officeAnnouncements.kinds.${kind}`),
    contact: among(contactKinds, (kind) => `contact.kind.${kind}`),
  }),
  actor: (value, { t }) => actorText(value, t),
  outcome: among(payoutOutcomes, (outcome) => `officeOrders.outcomes.${outcome}`),
  cycle: (value, { t }) => cycleText(value, t) ?? value,
  stage: among(incidentStages, (stage) => `status.incidents.stage.${stage}`),
  impact: among(incidentImpacts, (impact) => `status.state.${impact}`),
  component: (value, { t }) => {
    const component = statusComponents.find((each) => each === value);
    return component ? nameOf(component, t) : value;
  },
  parts: eachOf(among(passwordParts, (part) => `officeAudit.part.${part}`)),
  statementFormat: among(statementFormats, (format) => `officeReconciliation.formats.${format}`),
};

/** Returns a function that puts a recorded value into the reader's words. */
export function useValueText(): (of: { field: string; value: string | null; action: string }) => string {
  const { zone } = useUiSettings();
  const language = useLanguage();
  const t = useT();
  const reader: AuditReader = {
    t,
    language,
    zone,
    roleText: (code) => roleName(code, t),
    permText: (code) => permText(code, t),
  };
  return (of) => auditValue(of, reader, officeWordings);
}
