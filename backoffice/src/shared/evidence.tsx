import { urlOf } from '@hengfu/client/request.ts';
import { type EvidenceFile, evidenceEndpoints } from '@hengfu/contract/staff/evidence';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { reading } from '../platform/reading.ts';
import styles from './evidence.module.css';
import { Failure } from './failure.tsx';

interface EvidenceProps {
  tradeNo: string;
  /** Shows the files of one request only. */
  requestId?: string;
}

/** The files that show the outcome of a payout: pictures in full width, documents as downloads. Nothing if there are none. */
export function Evidence({ tradeNo, requestId }: EvidenceProps): ReactElement | null {
  const t = useT();
  const { data, error, refetch } = useQuery(
    reading(evidenceEndpoints.list, { params: { trade_no: tradeNo } }),
  );
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  const files = data?.filter((file) => requestId === undefined || file.requestId === requestId) ?? [];
  if (files.length === 0) return null;
  return (
    <Section title={t('officeOrders.evidence')}>
      <div className={styles.files}>
        {files.map((file) => (
          <OneFile key={file.id} tradeNo={tradeNo} file={file} />
        ))}
      </div>
    </Section>
  );
}

function OneFile({ tradeNo, file }: { tradeNo: string; file: EvidenceFile }): ReactElement {
  const params = { trade_no: tradeNo, evidence_id: file.id };
  return (
    <figure className={styles.file}>
      {file.type !== 'application/pdf' && <Picture params={params} name={file.name} />}
      <figcaption>
        <a href={urlOf(evidenceEndpoints.download, { params })} download={file.name}>
          {file.name}
        </a>
      </figcaption>
    </figure>
  );
}

interface PictureProps {
  params: { trade_no: string; evidence_id: string };
  name: string;
}

function Picture({ params, name }: PictureProps): ReactElement | null {
  const { data, error, refetch } = useQuery({
    ...reading(evidenceEndpoints.picture, { params }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  return <img className={styles.picture} src={`data:${data.type};base64,${data.base64}`} alt={name} />;
}
