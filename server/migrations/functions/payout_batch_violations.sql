-- Returns one row per inconsistency between batches, their rows and their payouts; none if all is well.
create or replace function payout_batch_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'batch_row_is_its_payout', format('batch %s row %s: %s', b.batch_no, r.line, r.trade_no)
      from payout_batch_row r
      join payout_batch b on b.merchant_id = r.merchant_id and b.id = r.batch_id
      left join payout p on p.merchant_id = r.merchant_id and p.trade_no = r.trade_no
        and p.batch_no = b.batch_no and p.batch_line = r.line
      where r.state = 'taken' and p.id is null
    union all
    select 'payout_is_its_batch_row', p.trade_no
      from payout p
      join payout_batch b on b.batch_no = p.batch_no
      left join payout_batch_row r on r.merchant_id = b.merchant_id and r.batch_id = b.id and r.line = p.batch_line
        and r.trade_no = p.trade_no
      where p.batch_no is not null and (r.line is null or p.merchant_id <> b.merchant_id)
    union all
    select 'approval_of_batch_is_that_of_its_request', format('%s: batch %s, request %s', b.batch_no, b.approval_state, r.state)
      from payout_batch b
      left join approval_request r on r.merchant_id = b.merchant_id and r.kind = 'batch' and r.subject_no = b.batch_no
      where b.approval_state is distinct from r.state
    union all
    select 'excluded_row_is_not_sent', format('batch %s row %s: %s', r.subject_no, x.line, p.status)
      from approval_exclusion x
      join approval_request r on r.merchant_id = x.merchant_id and r.id = x.request_id
      join payout p on p.merchant_id = r.merchant_id and p.batch_no = r.subject_no and p.batch_line = x.line
      where p.approval_state = 'approved'
    union all
    select 'batch_counts_its_rows', format('%s: %s rows of %s, %s taken, %s failed', b.batch_no, count(r.line), b.row_count,
        count(*) filter (where r.state = 'taken'), count(*) filter (where r.state = 'failed'))
      from payout_batch b
      left join payout_batch_row r on r.merchant_id = b.merchant_id and r.batch_id = b.id
      group by b.batch_no, b.row_count, b.finished_at, b.taken_count, b.failed_count
      having count(r.line) <> b.row_count
        or (b.finished_at is not null and (b.taken_count <> count(*) filter (where r.state = 'taken')
          or b.failed_count <> count(*) filter (where r.state = 'failed')))
  $$;
