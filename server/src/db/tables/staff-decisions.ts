import type { PasswordPart } from '@hengfu/contract/staff/accounts';
import type { EvidenceType } from '@hengfu/contract/staff/evidence';
import type { StaffRequestKind, StaffRequestState } from '@hengfu/contract/staff/requests';
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely';

/** Tables of decisions that take two people, and of what one person did alone. */
export interface StaffDecisionTables {
  staff_request: StaffRequestTable;
  staff_evidence: StaffEvidenceTable;
  staff_alert: StaffAlertTable;
  staff_alert_refused: StaffAlertRefusedTable;
  staff_alert_seen: StaffAlertSeenTable;
  staff_handover: StaffHandoverTable;
  staff_permit: StaffPermitTable;
  staff_alone: StaffAloneTable;
  staff_code_handover: StaffCodeHandoverTable;
  staff_setting: StaffSettingTable;
}

interface StaffHandoverTable {
  id: GeneratedAlways<bigint>;
  staff_id: bigint;
  part: PasswordPart;
  reader: string;
  sealed: Buffer;
  expires_at: Generated<Date>;
}

interface StaffCodeHandoverTable {
  about_merchant: bigint;
  user_id: bigint;
  reader: string;
  sealed: Buffer;
  expires_at: Generated<Date>;
}

interface StaffSettingTable {
  name: 'fourEyesFrom';
  usdt_minor: bigint;
  changed_at: Generated<Date>;
}

interface StaffAloneTable {
  id: GeneratedAlways<bigint>;
  kind: 'topupCredit' | 'withdrawalPayment';
  actor: string;
  about_merchant: bigint;
  usdt_minor: bigint;
  at: Generated<Date>;
}

interface StaffPermitTable {
  id: GeneratedAlways<bigint>;
  kind: StaffRequestKind;
  subject: string;
  change: JSONColumnType<object>;
  holder: string;
  expires_at: Generated<Date>;
}

interface StaffAlertTable {
  id: GeneratedAlways<bigint>;
  kind: StaffRequestKind;
  actor: string;
  subject: string;
  reason: string;
  at: Generated<Date>;
}

interface StaffAlertRefusedTable {
  alert_id: bigint;
  at: Generated<Date>;
}

interface StaffAlertSeenTable {
  alert_id: bigint;
  staff_id: bigint;
  at: Generated<Date>;
}

interface StaffRequestTable {
  id: GeneratedAlways<bigint>;
  kind: StaffRequestKind;
  state: Generated<StaffRequestState>;
  about_merchant: bigint | null;
  subject: string;
  change: JSONColumnType<object>;
  facts: JSONColumnType<object>;
  reason: string;
  requested_by: string;
  created_at: Generated<Date>;
  expires_at: Date;
  ended_at: Date | null;
  ended_by: string | null;
  end_reason: string | null;
}

interface StaffEvidenceTable {
  id: GeneratedAlways<bigint>;
  subject: string;
  uploaded_by: string;
  name: string;
  type: EvidenceType;
  content: Buffer;
  sha256: Buffer;
  created_at: Generated<Date>;
  request_id: bigint | null;
  kept_at: Date | null;
}
