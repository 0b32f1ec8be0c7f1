import type { RuleKind, SettingKind } from '@hengfu/contract/approval-rules';
import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { ApprovalKind } from '@hengfu/contract/approvals';
import type { Currency } from '@hengfu/contract/money';
import type { Role } from '@hengfu/contract/permissions';
import type { Generated, GeneratedAlways } from 'kysely';

export interface ApprovalTables {
  approval_rule: ApprovalRuleTable;
  approval_sum: ApprovalSumTable;
  approval_request: ApprovalRequestTable;
  approval_decision: ApprovalDecisionTable;
  access_key_reader: AccessKeyReaderTable;
  approval_exclusion: ApprovalExclusionTable;
}

interface AccessKeyReaderTable {
  merchant_id: bigint;
  key_id: string;
  user_id: bigint;
  read_at: Generated<Date>;
}

interface ApprovalRuleTable {
  merchant_id: bigint;
  id: GeneratedAlways<bigint>;
  kind: RuleKind;
  amount_minor: bigint;
  approvers: number;
  roles: Role[];
  people: bigint[];
  created_by: string;
  created_at: Generated<Date>;
  ended_at: Date | null;
}

interface ApprovalSumTable {
  merchant_id: bigint;
  kind: string;
  party: string;
  hour: Date;
  amount_minor: bigint;
}

interface ApprovalRequestTable {
  merchant_id: bigint;
  id: GeneratedAlways<bigint>;
  request_no: string;
  kind: ApprovalKind;
  state: Generated<ApprovalState>;
  subject_no: string | null;
  change: unknown;
  currency: Currency;
  amount_minor: bigint | null;
  counted_minor: bigint;
  target: string | null;
  requested_by: string;
  rules: unknown;
  created_at: Generated<Date>;
  expires_at: Date;
  ended_at: Date | null;
  ended_by: string | null;
  reason: string | null;
  counted_payouts_minor: bigint | null;
  counted_new_minor: bigint | null;
  rule_kind: SettingKind | null;
}

interface ApprovalDecisionTable {
  merchant_id: bigint;
  request_id: bigint;
  user_id: bigint;
  verdict: 'approved' | 'refused';
  reason: string | null;
  at: Generated<Date>;
}

interface ApprovalExclusionTable {
  merchant_id: bigint;
  request_id: bigint;
  line: number;
  user_id: bigint;
  reason: string;
  at: Generated<Date>;
}
