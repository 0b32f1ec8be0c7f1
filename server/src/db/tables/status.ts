import type {
  ChannelKind,
  IncidentImpact,
  IncidentStage,
  SampledState,
  StatusComponent,
} from '@hengfu/contract/status';
import type { Generated, GeneratedAlways } from 'kysely';

export interface StatusTables {
  request_minute: RequestMinuteTable;
  channel_minute: ChannelMinuteTable;
  status_sample: StatusSampleTable;
  status_quarter: StatusQuarterTable;
  status_incident: StatusIncidentTable;
  status_incident_update: StatusIncidentUpdateTable;
}

interface RequestMinuteTable {
  minute: Date;
  delay_class: number;
  answered: bigint;
  failed: bigint;
}

interface ChannelMinuteTable {
  minute: Date;
  channel: string;
  kind: ChannelKind;
  is_paid: boolean;
  delay_class: number;
  orders: bigint;
}

interface StatusSampleTable {
  component: StatusComponent;
  minute: Date;
  state: SampledState;
}

interface StatusQuarterTable {
  component: StatusComponent;
  bucket: Date;
  operational: number;
  degraded: number;
  down: number;
}

interface StatusIncidentTable {
  id: GeneratedAlways<bigint>;
  source: 'samples' | 'operator';
  component: StatusComponent | null;
  impact: IncidentImpact;
  title_en: string | null;
  title_zh_cn: string | null;
  title_vi: string | null;
  started_at: Date;
  ended_at: Date | null;
  end_reason: 'recovered' | 'unwatched' | 'resolved' | null;
}

interface StatusIncidentUpdateTable {
  id: GeneratedAlways<bigint>;
  incident_id: bigint;
  at: Generated<Date>;
  stage: IncidentStage | 'resolved' | null;
  text_en: string;
  text_zh_cn: string | null;
  text_vi: string | null;
}
